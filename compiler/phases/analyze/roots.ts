/** The files that the host runs without a call from a template. */
import { isTestName } from '../../../runtime/page/test-names.ts'
import type { Site } from '../../core/model/site.ts'
import type { Unit } from '../../core/model/unit.ts'

/** Names of partials that the host calls, such as `channels/chat/receive`: the callbacks of WebSockets, by channel and callback. */
export const CALLBACK = /^(?:modules\/[^/]+\/)?channels\/(.+)\/(subscribed|receive|unsubscribed)$/

/** Returns the files of tests, which `ingot test` runs and no visitor can reach. */
export function testsOf({ partials }: Pick<Site, 'partials'>): ReadonlySet<string> {
  return new Set([...partials].filter(([name]) => isTestName(name)).map(([, unit]) => unit.file.path))
}

/** Returns the files that the host runs without a call from a template, and the tests, which `ingot test` runs. */
export function rootsOf(site: Site): ReadonlySet<string> {
  const roots = new Set<string>()
  const layouts = new Set<Unit | null>()
  for (const unit of site.units) {
    const { kind, path } = unit.file
    if (kind === 'partial' || kind === 'layout') {
      if (site.openEntries && unit.template !== null) roots.add(path)
    } else if (unit.template !== null) roots.add(path)
    if (kind === 'page') {
      const computed = site.computedLayouts.has(path) ? site.layoutKeys.values() : []
      for (const each of [site.pageLayouts.get(path), ...computed]) layouts.add(each ?? null)
    }
    if (unit.settings.kind === 'email') {
      const { layout, computedLayout } = unit.settings
      for (const each of computedLayout === null ? [site.layouts.get(layout?.name ?? '')] : site.layouts.values())
        layouts.add(each ?? null)
    }
  }
  for (const layout of layouts) if (layout !== null) roots.add(layout.file.path)
  const isRoot = (name: string): boolean => CALLBACK.test(name) || name === site.config.maintenance.partial
  for (const [name, unit] of site.partials) if (isRoot(name)) roots.add(unit.file.path)
  for (const test of testsOf(site)) roots.add(test)
  return roots
}
