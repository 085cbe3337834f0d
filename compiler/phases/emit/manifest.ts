/** Emits the manifest of the site: routes, layouts, policies, partials that a computed name can refer to, and translations. */
import { arrow, ident, invoke, NOWHERE, parameter, type Statement, typeNamed } from '../../core/model/code.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import { type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { ServedAsset } from '../../core/model/asset.ts'
import type { ConfigSettings, PageSettings, TranslationMap } from '../../core/model/settings.ts'
import { maxSurplus } from '../../core/model/path-surplus.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { FileKind } from '../../core/source/file.ts'
import { headOf } from '../../core/source/front-matter.ts'
import { partialName } from '../../core/source/kinds.ts'
import { dependsOnFile, hasOwnScope } from '../../language/types/old-variables.ts'
import { sideEffectsOf } from './beside.ts'
import { printsBytes } from './bytes.ts'
import type { EmitContext } from './context.ts'
import { FINGERPRINT, FINGERPRINT_MODULE } from './fingerprint.ts'
import { formsOf } from './form.ts'
import { codeOf, GetterValue, CodeValue, type Emittable } from './manifest-values.ts'
import {
  ManifestBuilder,
  type EmittableSite,
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

function emitManifest(context: EmitContext, linkedEffects: LinkedEffects): Module {
  const builder = new ManifestBuilder(context, linkedEffects.effects)
  const value = codeOf(siteOf(context, linkedEffects, builder))
  const site: Statement = {
    kind: 'declare',
    keyword: 'const',
    variables: [{ name: 'site', type: typeNamed('CompiledSite'), value }],
    exported: true,
    span: NOWHERE,
  }
  const imports: Import[] = [
    { from: RUNTIME_ENTRY, names: [...builder.runtime], types: ['CompiledSite'] },
    { from: importPath(MANIFEST, FINGERPRINT_MODULE), names: [FINGERPRINT], types: [] },
  ]
  for (const [file, used] of builder.entryPoints)
    imports.push({ from: importPath(MANIFEST, modulePath(file)), names: [...used].sort(), types: [] })
  return { path: MANIFEST, source: null, imports, exports: ['site'], body: print([site], context.printAs) }
}

/** Kinds of files of which the manifest only contains the settings before the template. */
const KINDS_WITH_HEAD: ReadonlySet<FileKind> = new Set(['page', 'layout', 'partial', 'authorization_policy'])

/**
 * Returns the cached manifest as long as only templates change, and the calls stay the same.
 * @param callState must be the same object as long as the calls of all templates definitely stay the same
 */
export function rememberedManifest(context: EmitContext, callState: object, memo: Memo): Module {
  // The manifest does not depend on the names in the frames of templates.
  const { linkedEffects } = context.facts
  const { site, operations, signatures, assets, printAs } = context
  return memo.once(
    'manifest by frame',
    '',
    [site.structureVersion, callState, linkedEffects.sharedEffects, assets, printAs],
    () => {
      const units = site.units.map((unit) => {
        const input = memo.once('said beside templates', unit.file.path, [unit], () => manifestInputOf(unit))
        return `${input}\0${signatureKey(signatures.of(unit.file.path, 'render'))}\0${signatureKey(signatures.of(unit.file.path, 'value'))}`
      })
      const inputs = [
        ...[
          linkedEffects.sharedEffects,
          site.config,
          site.data,
          site.raise,
          site.raiseQueries,
          assets,
          printAs,
          units.join('\0'),
        ],
        ...[...operations.storedOperations].flat(),
        JSON.stringify(operations.indexes),
      ]
      return memo.once('manifest', '', inputs, () => emitManifest(context, linkedEffects))
    },
  )
}

/** Returns the parts of a file that the manifest depends on. */
function manifestInputOf({ file, template, inner, refused }: Unit): string {
  const { path, kind, text } = file
  const head = KINDS_WITH_HEAD.has(kind) ? headOf(text) : text
  return [path, template === null, refused === true, ...inner.keys(), head].join('\n')
}

function siteOf(context: EmitContext, linkedEffects: LinkedEffects, builder: ManifestBuilder): EmittableSite {
  const { site, operations } = context
  const { storedOperations, indexes, data } = operations
  return {
    abi: builder.use('ABI'),
    builtBy: VERSION,
    dialect: site.dialect,
    options: optionsOf(context, builder),
    pages: pagesOf(context, builder),
    layouts: layoutsOf(context, builder),
    ...sideEffectsOf(context, builder),
    fingerprint: new GetterValue(invoke(ident(FINGERPRINT))),
    forms: formsOf(site.formSchemas.values(), builder),
    policies: policiesOf(context, builder),
    partials: partialsOf(context, linkedEffects, builder),
    translations: new Map([...site.translations].map(([locale, tree]) => [locale, translationOf(tree)])),
    assets: assetsOf(context),
    data,
    operations: new Map(
      [...storedOperations].map(([name, { span, document }]) => [name, { file: span.file, document }]),
    ),
    indexes,
    partialFiles: partialFilesOf(context, builder),
  }
}

function optionsOf({ site }: EmitContext, builder: ManifestBuilder): EmittableSite['options'] {
  const { config } = site
  const unit = site.units.find(({ file }) => file.kind === 'config')
  return {
    raise: site.raise,
    raiseQueries: site.raiseQueries,
    htmlFormatExactMatch: config.htmlFormatExactMatch,
    redirectTrailingSlash: config.redirectTrailingSlash,
    safeTranslate: config.safeTranslate,
    ...(config.sanitizeOutput
      ? { clean: { text: builder.use('clean'), attribute: builder.use('cleanAttribute') } }
      : {}),
    policyReturnTo: !config.doNotAddReturnTo,
    requireTableForDelete: config.requireTableForRecordDeleteMutation,
    argumentMismatch: config.graphqlArgumentTypeMismatchMode,
    argumentMismatchWritten: config.argumentMismatchWritten,
    defaultLayout: config.defaultLayout,
    migrationsStrict: config.migrationsStrict,
    cookiesSameSite: config.cookiesSameSite,
    ...socketsOf(config),
    themeSearchPaths: config.themeSearchPaths.map((text, at) =>
      unit === undefined ? { kind: 'plain', value: text.text } : builder.liquid(unit, `themeSearchPaths.${at}`, text),
    ),
    maintenance: config.maintenance,
    ...(config.studio !== null && { studio: { path: config.studio.path, policy: config.studio.policy.name } }),
  }
}

/** Returns the settings of WebSockets that are not the defaults. */
function socketsOf(config: ConfigSettings): Pick<EmittableSite['options'], 'sockets'> {
  const { websocketsRequireCsrfToken: requireToken, websocketsRequireSubscribedPartial: requireSubscribed } = config
  return requireToken && requireSubscribed ? {} : { sockets: { requireToken, requireSubscribed } }
}

function pagesOf(context: EmitContext, builder: ManifestBuilder): EmittableSite['pages'] {
  const { site } = context
  const names = new Map<Unit, string>()
  for (const [name, layout] of site.layoutKeys) if (!names.has(layout)) names.set(layout, name)
  return site.pages.flatMap((page) => {
    const layout = site.pageLayouts.get(page.file.path)
    const layoutName = layout === undefined ? null : (names.get(layout) ?? layout.file.name)
    return addressesOf(page.settings).map((address) => pageOf(page, address, layoutName, context, builder))
  })
}

type Address = Pick<PageEntry<never>, 'slug' | 'route'>

/** Returns the addresses of a page: the address of its slug, and the address of its path if that differs. */
function addressesOf({ route }: PageSettings): readonly Address[] {
  const main = { slug: route.slug, route: route.segments }
  if (route.alsoAt === null) return [main]
  const segments = route.alsoAt.split('/').map((text) => ({ kind: 'static' as const, text }))
  return [main, { slug: route.alsoAt, route: segments }]
}

function pageOf(
  page: Unit<PageSettings>,
  { slug, route }: Address,
  layout: string | null,
  context: EmitContext,
  builder: ManifestBuilder,
): Emittable<PageEntry<never>> {
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
    ...computedLayoutOf(page, context, builder),
    render: builder.entryPoint(page.file.path),
    ...(printsBytes(context, page) ? { bytes: builder.bytes(page) } : {}),
    markdown: s.converter === 'markdown',
    metadata: builder.setting(page, 'metadata', s.metadata),
    policies: s.authorizationPolicies.map(({ name }) => name),
    redirect:
      s.redirectTo === null ? null : { target: builder.liquid(page, 'redirectTo', s.redirectTo), code: s.redirectCode },
    responseHeaders: builder.optional(page, 'responseHeaders', s.responseHeaders),
    dynamicCache: cache && {
      key: builder.optional(page, 'dynamicCache.key', cache.key),
      expire: cache.expire,
      layout: cache.layout,
    },
    ...s.plainSettings,
  }
}

function computedLayoutOf(
  page: Unit<PageSettings>,
  { site }: EmitContext,
  builder: ManifestBuilder,
): Pick<Emittable<PageEntry<never>>, 'computedLayout'> {
  const owner = site.computedLayouts.get(page.file.path)
  const unit = owner === 'page' ? page : site.units.find(({ file }) => file.kind === 'config')
  const { computedLayout: text } = owner === 'page' ? page.settings : site.config
  if (owner === undefined || unit === undefined || text === null) return {}
  return { computedLayout: { name: builder.liquid(unit, 'computedLayout', text), mayMiss: owner === 'config' } }
}

function layoutsOf({ site }: EmitContext, builder: ManifestBuilder): EmittableSite['layouts'] {
  const layouts = new Map<string, Emittable<LayoutEntry<never>>>()
  for (const [name, layout] of site.layoutKeys) {
    const { metadata } = layout.settings
    layouts.set(name, {
      file: layout.file.path,
      name,
      metadata: builder.setting(layout, 'metadata', metadata),
      render: builder.entryPoint(layout.file.path),
    })
  }
  return layouts
}

function policiesOf({ site }: EmitContext, builder: ManifestBuilder): EmittableSite['policies'] {
  const policies = new Map<string, Emittable<PolicyEntry<never>>>()
  for (const [name, policy] of site.policies) {
    const s = policy.settings
    policies.set(name, {
      file: policy.file.path,
      name,
      render: builder.entryPoint(policy.file.path),
      redirectTo: builder.optional(policy, 'redirectTo', s.redirectTo),
      flashAlert: builder.optional(policy, 'flashAlert', s.flashAlert),
      status: s.httpStatus,
    })
  }
  return policies
}

/** Returns the partials that a computed name can refer to. */
function partialsOf(
  context: EmitContext,
  linkedEffects: LinkedEffects,
  builder: ManifestBuilder,
): EmittableSite['partials'] {
  const { site } = context
  const partials = new Map<string, Emittable<CallableUnit<never>>>()
  for (const [name, unit] of site.partials) {
    const { path } = unit.file
    const effects = linkedEffects.effects.get(path)
    if (effects === undefined || (effects.open.size === 0 && !site.openEntries)) continue
    const render = builder.entryPoint(path)
    // The host runs layouts, but a call by this name treats a layout like any other partial.
    const hidesOldNames = effects.entryPoints.has('render') && hasOwnScope(site, unit) && dependsOnFile(site)
    partials.set(name, {
      file: path,
      render: hidesOldNames ? withoutOldNames(render, builder) : render,
      value: builder.entryPoint(path, 'value'),
      shared: builder.entryPoint(path, 'shared'),
      ...(printsBytes(context, unit) ? { bytes: builder.bytes(unit) } : {}),
    })
  }
  return partials
}

/** Returns a function that calls an entry point with a scope in which no older names are unset. */
function withoutOldNames(render: CodeValue, builder: ManifestBuilder): CodeValue {
  const scope = invoke(builder.use('withoutOldNames').code, ident('scope'))
  return new CodeValue(arrow([parameter('r'), parameter('scope')], invoke(render.code, ident('r'), scope)))
}

function assetsOf({ site, assets }: EmitContext): EmittableSite['assets'] {
  const unprepared: ServedAsset = { stamp: '', digest: null, size: 0, encodings: [] }
  return new Map([...site.assets].map(([name, file]) => [name, { file, ...(assets.get(name) ?? unprepared) }]))
}

function partialFilesOf({ site }: EmitContext, builder: ManifestBuilder): EmittableSite['partialFiles'] {
  const files: Emittable<PartialEntry<never>>[] = []
  for (const unit of site.dialect === 'liquid' ? [] : site.units) {
    const { path, format } = unit.file
    if (unit.settings.kind !== 'partial' && unit.settings.kind !== 'layout') continue
    const { metadata } = unit.settings
    files.push({
      file: path,
      name: partialName(unit.file),
      format,
      metadata: builder.setting(unit, 'metadata', metadata),
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

/** The version of the compiler, which is written into its builds. */
export const VERSION = '0.1.0'
