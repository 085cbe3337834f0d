/** Random bytes and identifiers from the system's cryptographic source. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../../../runtime/page/services.ts'

export const systemRandom: Random = { bytes: (count) => randomBytes(count), uuid: () => randomUUID() }
