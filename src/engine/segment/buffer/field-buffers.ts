/** The buffered values of one field, of any kind. */
import type { FieldSchema } from '../../document/field-schema.ts'
import type { ListMemory } from './list-memory.ts'
import { type PackedTermField, type Revival, TermFieldBuffer } from './term-field-buffer.ts'
import {
  BinaryFieldBuffer,
  GeoFieldBuffer,
  NumberFieldBuffer,
  type PackedBinaryField,
  type PackedGeoField,
  type PackedNumberField,
} from './value-field-buffers.ts'

/** A field's values in the form sent to the thread that writes the segment. */
export type PackedField = PackedTermField | PackedNumberField | PackedGeoField | PackedBinaryField

export type FieldBuffer = TermFieldBuffer | NumberFieldBuffer | GeoFieldBuffer | BinaryFieldBuffer

export function openFieldBuffer(schema: FieldSchema, memory: ListMemory | undefined): FieldBuffer {
  if (schema.inverted !== 'none' || schema.docValues === 'term') return new TermFieldBuffer(schema, memory)
  if (schema.docValues === 'geo') return new GeoFieldBuffer(schema, memory)
  if (schema.docValues === 'binary') return new BinaryFieldBuffer(schema, memory)
  return new NumberFieldBuffer(schema, memory)
}

export function unpackField(packed: PackedField, revival: Revival): FieldBuffer {
  switch (packed.kind) {
    case 'term':
      return TermFieldBuffer.unpack(packed, revival)
    case 'number':
      return NumberFieldBuffer.unpack(packed)
    case 'geo':
      return GeoFieldBuffer.unpack(packed)
    case 'binary':
      return BinaryFieldBuffer.unpack(packed)
  }
}
