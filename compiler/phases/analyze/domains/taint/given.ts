/**
 * Creates closures that return the values of a callee by name, and the output of a template. Cached summaries contain these closures. They
 * are created outside of the walk, so that they do not keep the walk's objects in memory.
 */
import { type Flow, joinTaints, NOTHING, partAt, substituteTaints, type Taint } from './flow.ts'
import type { State } from './state.ts'
import type { CallerSummary } from './summary.ts'

/** Returns the values of a callee by name. `sharedVariables`: the caller's variables if the callee shares them; null otherwise. */
export function calleeArguments(
  passedFlows: ReadonlyMap<string, Flow>,
  sharedVariables: ReadonlyMap<string, Flow> | null,
  state: State,
): (name: string) => Flow {
  return sharedVariables === null
    ? passedArguments(passedFlows)
    : (name) => passedFlows.get(name) ?? sharedVariables.get(name) ?? state.parameter(name)
}

/** Returns the values by name of a callee that shares no variables with its caller. */
export function passedArguments(passedFlows: ReadonlyMap<string, Flow>): (name: string) => Flow {
  return (name) => passedFlows.get(name) ?? NOTHING
}

/** Returns a function that computes the taints of a callee's output. */
export function calleeOutput(
  { printed }: CallerSummary,
  passedFlows: ReadonlyMap<string, Flow>,
  sharedVariables: ReadonlyMap<string, Flow> | null,
  state: State,
): () => readonly Taint[] {
  const argumentOf = calleeArguments(passedFlows, sharedVariables, state)
  return () =>
    substituteTaints(printed(), (origin) =>
      origin.kind === 'store' ? null : partAt(argumentOf(origin.name), origin.path),
    )
}

/** Returns a function that computes the taints of the output of a template and its callees. The result is cached. */
export function joinOutputs(
  ownTaints: readonly Taint[],
  calleeOutputs: readonly (() => readonly Taint[])[],
): () => readonly Taint[] {
  let outputTaints: readonly Taint[] | null = null
  return () => (outputTaints ??= calleeOutputs.reduce((taints, printed) => joinTaints(taints, printed()), ownTaints))
}
