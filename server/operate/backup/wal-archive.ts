/** Reads the archive of the write-ahead log, which restores a database to any time since a backup. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'
import { SEGMENT } from './manifest.ts'

/** Bytes of a segment, and the number of segments that share the first half of the segment number. */
const SEGMENT_SIZE = 16 * 1024 * 1024
const PER_LOG = 0x1_0000_0000 / SEGMENT_SIZE

export interface ArchivedLog {
  /** Names of the segments from the requested one on, in order. */
  readonly segments: readonly string[]
  /** Names of the files that describe how timelines branch. */
  readonly histories: readonly string[]
}

/**
 * Lists the segments of an archive, beginning with a given one.
 * @param first name of the first segment of a backup
 * @throws StartError when there is a gap, or an incomplete segment
 */
export async function readArchive(folder: string, first: string): Promise<ArchivedLog> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'ENOENT' && errorCodeOf(error) !== 'ENOTDIR') throw error
    throw new StartError(`There is no archive of the write-ahead log in '${folder}'.`)
  })
  const histories = names.filter((name) => /^[0-9A-F]{8}\.history$/.test(name)).toSorted()
  // A later timeline continues an earlier one, so segments are compared by their numbers without the timeline.
  const segments = names.filter((name) => SEGMENT.test(name) && numberOf(name) >= numberOf(first)).toSorted()
  const numbers = [...new Set(segments.map(numberOf))].toSorted((a, b) => a - b)
  let expected = numberOf(first)
  for (const number of numbers) {
    if (number !== expected) {
      throw new StartError(
        `The archive in '${folder}' has a gap: ${segmentName(first, expected)} is missing, but later segments exist. Without --wal, only the backup is restored.`,
      )
    }
    expected++
  }
  for (const name of segments) {
    const { size } = await stat(join(folder, name))
    if (size !== SEGMENT_SIZE)
      throw new StartError(`${name} in '${folder}' is incomplete: it has ${size} bytes instead of ${SEGMENT_SIZE}.`)
  }
  return { segments, histories }
}

/** Returns the number of a segment, without its timeline. */
function numberOf(segment: string): number {
  return Number.parseInt(segment.slice(8, 16), 16) * PER_LOG + Number.parseInt(segment.slice(16), 16)
}

/** Returns the name of the segment with a number, on the timeline of another segment. */
function segmentName(like: string, number: number): string {
  const hexadecimal = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return like.slice(0, 8) + hexadecimal(Math.floor(number / PER_LOG)) + hexadecimal(number % PER_LOG)
}
