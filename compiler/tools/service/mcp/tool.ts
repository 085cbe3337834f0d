/** The contract of a tool: its input schema, its description, and its result as text. */
import type * as z from 'zod'
import type { AgentSite } from './agent-site.ts'

export interface Tool {
  readonly name: string
  /** Shown to users who are asked to allow the call. */
  readonly title: string
  /** Tells the agent what the tool does, and when to use it. */
  readonly description: string
  readonly input: z.ZodObject
  /** Whether the tool may make permanent changes. */
  readonly changes: boolean
  run(site: AgentSite, input: unknown): Promise<string>
}

/** Declares a tool. Its input is parsed with the schema. */
export function tool<Input extends z.ZodObject>(declared: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly changes?: true
  readonly run: (site: AgentSite, input: z.infer<Input>) => Promise<string>
}): Tool {
  const { input, run } = declared
  return { ...declared, changes: declared.changes === true, run: (site, value) => run(site, input.parse(value)) }
}

/** Formats a value for an agent. */
export function formatResult(value: unknown): string {
  return JSON.stringify(value, null, 1)
}
