/** The chapters of the tutorial, in order, and their pages. */
import type { Entry } from '../entry.ts'
import { accounts } from './accounts.ts'
import { chapterEntry } from './page.ts'
import { events } from './events.ts'
import { german } from './german.ts'
import { release } from './release.ts'
import { testing } from './testing.ts'
import { desk } from './desk.ts'
import { registering } from './registering.ts'
import { start } from './start.ts'
import { waiting } from './waiting.ts'
import type { Chapter } from './step.ts'

/** The chapters. @internal Exported for tests. */
export const CHAPTERS: readonly Chapter[] = [
  start,
  accounts,
  events,
  registering,
  waiting,
  desk,
  german,
  testing,
  release,
]

export const TUTORIAL: readonly Entry[] = CHAPTERS.map(chapterEntry)
