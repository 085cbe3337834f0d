/** In a browser nothing is searched for: a bundle has no room for what is wrong with the indexes of a server. */
import * as z from 'zod'
import type { SearchIndexDef } from '../../core/model/operation.ts'

export const searchIndexes = z.unknown().transform((): readonly SearchIndexDef[] => [])
