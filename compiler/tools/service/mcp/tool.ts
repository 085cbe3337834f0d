/** The contract of a tool: what an agent may ask, what it has to say for it, and the answer as text. */
import type * as z from 'zod'
import type { AgentSite } from './site.ts'

export interface Tool {
  readonly name: string
  /** For people who are asked whether the agent may. */
  readonly title: string
  /** For the agent: what it is told, and when to ask. */
  readonly says: string
  readonly input: z.ZodObject
  /** Whether it may change anything that stays. */
  readonly changes: boolean
  run(site: AgentSite, input: unknown): Promise<string>
}

/** Declares a tool, whose input is read by its schema. */
export function tool<Input extends z.ZodObject>(declared: {
  readonly name: string
  readonly title: string
  readonly says: string
  readonly input: Input
  readonly changes?: true
  readonly run: (site: AgentSite, input: z.infer<Input>) => Promise<string>
}): Tool {
  const { input, run } = declared
  return { ...declared, changes: declared.changes === true, run: (site, given) => run(site, input.parse(given)) }
}

/** A value as an agent reads it. */
export function shown(value: unknown): string {
  return JSON.stringify(value, null, 1)
}
