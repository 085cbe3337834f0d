/** The summaries of filters for people: in editors, for agents, and in the reference. */
import type { FilterSignature } from '../../core/model/signature.ts'
import { FILTER_SUMMARIES } from './filter-summaries.generated.ts'

/** Returns what a filter returns, in one sentence; empty for a filter of the host. */
export function summaryOf({ registry }: FilterSignature): string {
  return FILTER_SUMMARIES[registry] ?? ''
}
