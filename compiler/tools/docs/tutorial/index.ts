/** The chapters of the tutorial, in order, and their pages. */
import type { Entry } from '../entry.ts'
import accounts from './accounts.md'
import desk from './desk.md'
import events from './events.md'
import german from './german.md'
import { parseChapter } from './parse-chapter.ts'
import registering from './registering.md'
import release from './release.md'
import start from './start.md'
import type { Chapter } from './step.ts'
import testing from './testing.md'
import waiting from './waiting.md'

const TEXTS = { start, accounts, events, registering, waiting, desk, german, testing, release }

const PARSED = Object.entries(TEXTS).map(([file, markdown]) => parseChapter(file, markdown))

/** The chapters. @internal Exported for tests. */
export const CHAPTERS: readonly Chapter[] = PARSED.map(({ chapter }) => chapter)

export const TUTORIAL: readonly Entry[] = PARSED.map(({ entry }) => entry)
