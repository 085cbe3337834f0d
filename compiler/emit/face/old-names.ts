/** Names that stand for parts of `context` where nothing sets them: a variable that is `undefined` is not set, nil is a value. */
import { oldVariableOf } from '../../types/old-variables.ts'
import type { Code } from '../../tags/tag.ts'
import type { FaceInput } from './input.ts'

/** The keys below `context` that the name stands for; null for a name that is a variable and nothing else. */
export function oldKeys({ context }: FaceInput, name: string): readonly string[] | null {
  return oldVariableOf(context.site, name)
}

/** The code of a value that is given to a name: also nil then hides what the name stands for. */
export function asGiven(input: FaceInput, name: string, code: Code): Code {
  return oldKeys(input, name) === null ? code : `${input.imports.use('given')}(${code})`
}
