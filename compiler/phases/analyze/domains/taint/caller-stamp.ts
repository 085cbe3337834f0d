/** Stamps of what callers see of a summary. If the stamp is the same after an edit, callers keep their summaries. */
import { derived } from '../../../../core/model/derived.ts'
import { digest } from '../../../../core/model/digest.ts'
import { type Flow, type Taint, taintKey } from './flow.ts'
import type { CallerSummary } from './summary.ts'

/** Returns a stamp of everything that callers see. */
export const callerStamp: (forCallers: CallerSummary) => string = derived((forCallers: CallerSummary) => {
  const { result, frame, changes, neededNames, printed, exit } = forCallers
  const output = printed().map(taintText).join('\n')
  const texts = [JSON.stringify(exit), [...neededNames].sort().join(), output, flowStamp(result)]
  return digest([...texts, flowsText(frame), flowsText(changes)].join('\n'))
})

// Flows share parts, so the stamp of each part is computed once.
const flowStamp: (flow: Flow) => string = derived(({ taints, fields, items, head, proof, data }: Flow): string => {
  const proven = proof === null ? '' : `${proof.place} ${proof.change}`
  const parts = [fields === null ? '' : flowsText(fields), ...[items, data].map((part) => part && flowStamp(part))]
  return digest([head, taints.map(taintText).join('\n'), proven, ...parts].join('\n\n'))
})

function flowsText(flows: ReadonlyMap<string, Flow>): string {
  // The order matters, because a join of taints keeps only the first ones.
  return `{${[...flows].map(([name, flow]) => `${name}:${flowStamp(flow)}`).join('\n')}}`
}

function taintText(taint: Taint): string {
  const { origin } = taint
  return origin.kind === 'source' ? `${taintKey(taint)} ${origin.secret} ${origin.stored}` : taintKey(taint)
}
