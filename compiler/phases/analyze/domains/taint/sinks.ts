/** Collects the sinks of a template: places where others see a text. Each sink has only the taints that are dangerous at its place. */
import { joinTaints, mayShow, mayThreaten, threatens } from './flow.ts'
import { isSeen } from './secrets.ts'
import type { Sink } from './summary.ts'

export class Sinks {
  readonly #sinks = new Map<string, Sink>()

  get sinks(): readonly Sink[] {
    return [...this.#sinks.values()]
  }

  /** Adds a sink with the taints that may be dangerous there. Adds nothing if no taint is dangerous. */
  add({ taints, danger, ...place }: Sink): void {
    const { span, showing, format } = place
    const dangerousTaints = taints.filter((taint) => {
      const { origin } = taint
      const secrecy = origin.kind === 'source' ? (origin.secret ?? 'always') : 'always'
      const isShown = mayShow(taint) && isSeen(secrecy, showing, format)
      if (isShown || danger === null) return isShown
      return origin.kind === 'source' ? threatens(taint, danger.hazards) : mayThreaten(taint, danger.hazards)
    })
    if (dangerousTaints.length === 0) return
    const key = `${span.file}:${span.start} ${showing} ${danger?.kind}`
    const known = this.#sinks.get(key)
    this.#sinks.set(key, {
      ...place,
      danger,
      taints: joinTaints(known?.taints ?? [], dangerousTaints),
    })
  }
}
