/** In a browser there are no search indexes, so the schema is left out of the bundle. */
import * as z from 'zod'
import type { SearchIndexDef } from '../../core/model/operation.ts'

export const searchIndexes = z.unknown().transform((): readonly SearchIndexDef[] => [])
