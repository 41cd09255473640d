/** Makes the class `Processors` known to scripts. Its methods are loaded when a script uses them. */
import { provideStatics } from '../../../engine/painless/index.ts'
import { processorStatics } from './processors.ts'

provideStatics('org.elasticsearch.ingest.common.Processors', processorStatics)
