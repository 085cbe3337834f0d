/** Names of tasks, and priorities, in the queue. */
import type { JobOptions } from '../../../runtime/page/services.ts'

/** Tasks of the queue. Low priority has a separate task, so that some threads can ignore it. */
export const TASKS = { low: 'ingot_low', default: 'ingot', high: 'ingot' } as const satisfies Readonly<
  Record<JobOptions['priority'], string>
>

/** The queue runs smaller numbers first. */
export const PRIORITIES = { high: -10, default: 0, low: 10 } as const satisfies Readonly<
  Record<JobOptions['priority'], number>
>

/** The priority for a number of the queue. */
export function priorityOf(number: number): JobOptions['priority'] {
  if (number < 0) return 'high'
  return number > 0 ? 'low' : 'default'
}

/** The flag of the queue that marks a job by its name, so that a fetch can skip jobs of that name. */
export function nameFlag(name: string): string {
  return `name:${name}`
}
