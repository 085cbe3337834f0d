/** The site's own module: routes, layouts, policies, partials that a computed name can mean, translations. */
import { arrow, ident, invoke, NOWHERE, parameter, type Statement, typeNamed } from '../../core/model/code.ts'
import type { Linked } from '../../core/model/effects.ts'
import { type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { ServedAsset } from '../../core/model/asset.ts'
import type { PageSettings, TranslationMap } from '../../core/model/settings.ts'
import { maxSurplus } from '../../core/model/path-surplus.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { FileKind } from '../../core/source/file.ts'
import { headOf } from '../../core/source/front-matter.ts'
import { partialName } from '../../core/source/kinds.ts'
import { dependsOnFile, hasOwnScope } from '../../language/types/old-variables.ts'
import { besideOf } from './beside.ts'
import { printsBytes } from './bytes.ts'
import type { EmitContext } from './context.ts'
import { FINGERPRINT, FINGERPRINT_MODULE } from './fingerprint.ts'
import { formsOf } from './form.ts'
import { codeOf, Computed, Emitted, type Held } from './held.ts'
import {
  HeldSettings,
  type HeldSite,
  type LayoutEntry,
  type CallableUnit,
  type PageEntry,
  type PartialEntry,
  type PolicyEntry,
} from './manifest-parts.ts'
import { importPath, modulePath } from './names.ts'
import { print } from './print.ts'
import { signatureKey } from './signatures.ts'

export const MANIFEST = 'site.ts'

/** The site, its parts, and the parts of these stand on lines of their own. */
const LINES = 3

function emitManifest(context: EmitContext, linked: Linked): Module {
  const held = new HeldSettings(context, linked.effects)
  const value = codeOf(siteOf(context, linked, held), LINES)
  const site: Statement = {
    kind: 'declare',
    how: 'const',
    variables: [{ name: 'site', type: typeNamed('CompiledSite'), value }],
    exported: true,
    span: NOWHERE,
  }
  const imports: Import[] = [
    { from: RUNTIME_ENTRY, names: [...held.runtime], types: ['CompiledSite'] },
    { from: importPath(MANIFEST, FINGERPRINT_MODULE), names: [FINGERPRINT], types: [] },
  ]
  for (const [file, used] of held.faces)
    imports.push({ from: importPath(MANIFEST, modulePath(file)), names: [...used].sort(), types: [] })
  return { path: MANIFEST, source: null, imports, exports: ['site'], body: print([site], context.printAs) }
}

/** Kinds of which the manifest has what stands before their template. */
const HEADED: ReadonlySet<FileKind> = new Set(['page', 'layout', 'partial', 'authorization_policy'])

/**
 * `emitManifest`, remembered for as long as only templates say something else, and are called as before.
 * @param called the same object for as long as they surely are
 */
export function rememberedManifest(context: EmitContext, called: object, memo: Memo): Module {
  // Names in the frames of templates are nothing that the manifest has.
  const { linked } = context.facts
  const make = () => emitManifest(context, linked)
  if (memo === NO_MEMO) return make()
  const { site, operations, signatures, assets, printAs } = context
  return memo.once('manifest by frame', '', [site.frame, called, linked.deeds, assets, printAs], () => {
    const units = site.units.map((unit) => {
      const said = memo.once('said beside templates', unit.file.path, [unit], () => besideTemplate(unit))
      return `${said}\0${signatureKey(signatures.of(unit.file.path, 'render'))}\0${signatureKey(signatures.of(unit.file.path, 'value'))}`
    })
    const inputs = [
      ...[linked.deeds, site.config, site.data, site.raise, site.raiseQueries, assets, printAs, units.join('\0')],
      ...[...operations.stored].flat(),
      JSON.stringify(operations.indexes),
    ]
    return memo.once('manifest', '', inputs, make)
  })
}

/** What the manifest has of a file. */
function besideTemplate({ file, template, inner, refused }: Unit): string {
  const { path, kind, text } = file
  const head = HEADED.has(kind) ? headOf(text) : text
  return [path, template === null, refused === true, ...inner.keys(), head].join('\n')
}

function siteOf(context: EmitContext, linked: Linked, held: HeldSettings): HeldSite {
  const { site, operations } = context
  const { stored, indexes, data } = operations
  return {
    abi: held.use('ABI'),
    builtBy: VERSION,
    dialect: site.dialect,
    options: optionsOf(context, held),
    pages: pagesOf(context, held),
    layouts: layoutsOf(context, held),
    ...besideOf(context, held),
    fingerprint: new Computed(invoke(ident(FINGERPRINT))),
    forms: formsOf(site.formSchemas.values(), held),
    policies: policiesOf(context, held),
    partials: partialsOf(context, linked, held),
    translations: new Map([...site.translations].map(([locale, tree]) => [locale, translationOf(tree)])),
    assets: assetsOf(context),
    data,
    operations: new Map([...stored].map(([name, { span, document }]) => [name, { file: span.file, document }])),
    indexes,
    partialFiles: partialFilesOf(context, held),
  }
}

function optionsOf({ site }: EmitContext, held: HeldSettings): HeldSite['options'] {
  const { config } = site
  const unit = site.units.find(({ file }) => file.kind === 'config')
  return {
    raise: site.raise,
    raiseQueries: site.raiseQueries,
    htmlFormatExactMatch: config.htmlFormatExactMatch,
    redirectTrailingSlash: config.redirectTrailingSlash,
    safeTranslate: config.safeTranslate,
    ...(config.sanitizeOutput ? { clean: { text: held.use('clean'), attribute: held.use('cleanAttribute') } } : {}),
    policyReturnTo: !config.doNotAddReturnTo,
    requireTableForDelete: config.requireTableForRecordDeleteMutation,
    argumentMismatch: config.graphqlArgumentTypeMismatchMode,
    argumentMismatchWritten: config.argumentMismatchWritten,
    defaultLayout: config.defaultLayout,
    migrationsStrict: config.migrationsStrict,
    cookiesSameSite: config.cookiesSameSite,
    themeSearchPaths: config.themeSearchPaths.map((text, at) =>
      unit === undefined ? { kind: 'plain', value: text.text } : held.liquid(unit, `themeSearchPaths.${at}`, text),
    ),
    maintenance: config.maintenance,
  }
}

function pagesOf(context: EmitContext, held: HeldSettings): HeldSite['pages'] {
  const { site } = context
  const names = new Map<Unit, string>()
  for (const [name, layout] of site.layoutKeys) if (!names.has(layout)) names.set(layout, name)
  return site.pages.flatMap((page) => {
    const layout = site.pageLayouts.get(page.file.path)
    const layoutName = layout === undefined ? null : (names.get(layout) ?? layout.file.name)
    return addressesOf(page.settings).map((address) => pageOf(page, address, layoutName, context, held))
  })
}

type Address = Pick<PageEntry<never>, 'slug' | 'route'>

/** The addresses that a page answers: that of its slug, and that of its path where it is another. */
function addressesOf({ route }: PageSettings): readonly Address[] {
  const own = { slug: route.slug, route: route.segments }
  if (route.alsoAt === null) return [own]
  const segments = route.alsoAt.split('/').map((text) => ({ kind: 'static' as const, text }))
  return [own, { slug: route.alsoAt, route: segments }]
}

function pageOf(
  page: Unit<PageSettings>,
  { slug, route }: Address,
  layout: string | null,
  context: EmitContext,
  held: HeldSettings,
): Held<PageEntry<never>> {
  const s = page.settings
  const cache = s.dynamicCache
  return {
    file: page.file.path,
    name: page.file.name,
    module: page.file.module,
    slug,
    route,
    precedence: s.route.precedence,
    surplus: maxSurplus(s, context.site.config.slugExactMatch),
    method: s.method,
    format: s.format,
    layout,
    ...computedLayoutOf(page, context, held),
    render: held.face(page.file.path),
    ...(printsBytes(context, page) ? { bytes: held.bytes(page) } : {}),
    markdown: s.converter === 'markdown',
    metadata: held.setting(page, 'metadata', s.metadata),
    policies: s.authorizationPolicies.map(({ name }) => name),
    redirect:
      s.redirectTo === null ? null : { target: held.liquid(page, 'redirectTo', s.redirectTo), code: s.redirectCode },
    responseHeaders: held.optional(page, 'responseHeaders', s.responseHeaders),
    dynamicCache: cache && {
      key: held.optional(page, 'dynamicCache.key', cache.key),
      expire: cache.expire,
      layout: cache.layout,
    },
    ...s.plain,
  }
}

function computedLayoutOf(
  page: Unit<PageSettings>,
  { site }: EmitContext,
  held: HeldSettings,
): Pick<Held<PageEntry<never>>, 'computedLayout'> {
  const whose = site.computedLayouts.get(page.file.path)
  const unit = whose === 'page' ? page : site.units.find(({ file }) => file.kind === 'config')
  const { computedLayout: text } = whose === 'page' ? page.settings : site.config
  if (whose === undefined || unit === undefined || text === null) return {}
  return { computedLayout: { name: held.liquid(unit, 'computedLayout', text), mayMiss: whose === 'config' } }
}

function layoutsOf({ site }: EmitContext, held: HeldSettings): HeldSite['layouts'] {
  const layouts = new Map<string, Held<LayoutEntry<never>>>()
  for (const [name, layout] of site.layoutKeys) {
    const { metadata } = layout.settings
    layouts.set(name, {
      file: layout.file.path,
      name,
      metadata: held.setting(layout, 'metadata', metadata),
      render: held.face(layout.file.path),
    })
  }
  return layouts
}

function policiesOf({ site }: EmitContext, held: HeldSettings): HeldSite['policies'] {
  const policies = new Map<string, Held<PolicyEntry<never>>>()
  for (const [name, policy] of site.policies) {
    const s = policy.settings
    policies.set(name, {
      file: policy.file.path,
      name,
      render: held.face(policy.file.path),
      redirectTo: held.optional(policy, 'redirectTo', s.redirectTo),
      flashAlert: held.optional(policy, 'flashAlert', s.flashAlert),
      status: s.httpStatus,
    })
  }
  return policies
}

/** The partials that a name which only the render knows can mean. */
function partialsOf(context: EmitContext, linked: Linked, held: HeldSettings): HeldSite['partials'] {
  const { site } = context
  const partials = new Map<string, Held<CallableUnit<never>>>()
  for (const [name, unit] of site.partials) {
    const { path } = unit.file
    const effects = linked.effects.get(path)
    if (effects === undefined || (effects.open.size === 0 && !site.openEntries)) continue
    const render = held.face(path)
    // A layout is run by the host, but by this name it is called like any other partial.
    const closes = effects.faces.has('render') && hasOwnScope(site, unit) && dependsOnFile(site)
    partials.set(name, {
      file: path,
      render: closes ? withoutOldNames(render, held) : render,
      value: held.face(path, 'value'),
      shared: held.face(path, 'shared'),
      ...(printsBytes(context, unit) ? { bytes: held.bytes(unit) } : {}),
    })
  }
  return partials
}

/** The face as it is called with variables that know nothing of old names. */
function withoutOldNames(render: Emitted, held: HeldSettings): Emitted {
  const scope = invoke(held.use('withoutOldNames').code, ident('scope'))
  return new Emitted(arrow([parameter('r'), parameter('scope')], invoke(render.code, ident('r'), scope)))
}

function assetsOf({ site, assets }: EmitContext): HeldSite['assets'] {
  const unprepared: ServedAsset = { stamp: '', digest: null, size: 0, encodings: [] }
  return new Map([...site.assets].map(([name, file]) => [name, { file, ...(assets.get(name) ?? unprepared) }]))
}

function partialFilesOf({ site }: EmitContext, held: HeldSettings): HeldSite['partialFiles'] {
  const files: Held<PartialEntry<never>>[] = []
  for (const unit of site.dialect === 'liquid' ? [] : site.units) {
    const { path, format } = unit.file
    if (unit.settings.kind !== 'partial' && unit.settings.kind !== 'layout') continue
    const { metadata } = unit.settings
    files.push({
      file: path,
      name: partialName(unit.file),
      format,
      metadata: held.setting(unit, 'metadata', metadata),
    })
  }
  return files
}

function translationOf({ entries }: TranslationMap): ReadonlyMap<string, unknown> {
  const values = [...entries].map(
    ([key, node]) => [key, node.kind === 'map' ? translationOf(node) : node.value] as const,
  )
  return new Map(values)
}

/** The compiler's version, repeated in what it builds. */
export const VERSION = '0.1.0'
