/** What jobs are called in the queue, and where they stand in it. */
import type { JobOptions } from '../../runtime/page/services.ts'

/** Tasks of the queue: those of low priority have one of their own, so that some threads can leave them to others. */
export const TASKS = { low: 'ingot_low', default: 'ingot', high: 'ingot' } as const satisfies Readonly<
  Record<JobOptions['priority'], string>
>

/** The queue takes smaller numbers first. */
export const PRIORITIES = { high: -10, default: 0, low: 10 } as const satisfies Readonly<
  Record<JobOptions['priority'], number>
>

/** The priority that a number of the queue stands for. */
export function priorityOf(number: number): JobOptions['priority'] {
  if (number < 0) return 'high'
  return number > 0 ? 'low' : 'default'
}
