/**
 * Names of tokens in error messages. Elasticsearch reads JSON in two layers with different names. Its own layer only
 * has "number" and "boolean". Jackson, the parser below, distinguishes integers from decimals, and true from false.
 */
import {
  DECIMAL,
  END,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  INTEGER,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from './json-tokens.ts'

const NAMES: Readonly<Record<number, string>> = {
  [END]: 'null',
  [START_OBJECT]: 'START_OBJECT',
  [END_OBJECT]: 'END_OBJECT',
  [START_ARRAY]: 'START_ARRAY',
  [END_ARRAY]: 'END_ARRAY',
  [FIELD_NAME]: 'FIELD_NAME',
  [STRING]: 'VALUE_STRING',
  [INTEGER]: 'VALUE_NUMBER',
  [DECIMAL]: 'VALUE_NUMBER',
  [TRUE]: 'VALUE_BOOLEAN',
  [FALSE]: 'VALUE_BOOLEAN',
  [NULL]: 'VALUE_NULL',
}

const PARSER_NAMES: Readonly<Record<number, string>> = {
  ...NAMES,
  [INTEGER]: 'VALUE_NUMBER_INT',
  [DECIMAL]: 'VALUE_NUMBER_FLOAT',
  [TRUE]: 'VALUE_TRUE',
  [FALSE]: 'VALUE_FALSE',
}

export const tokenName = (token: number) => NAMES[token]!

/** The token name in errors of the JSON parser itself. */
export const parserTokenName = (token: number) => PARSER_NAMES[token]!
