/** The site's own module: routes, layouts, policies, partials that a computed name can mean, translations. */
import { builtAssetPath } from './built-assets.ts'
import type { Linked } from '../model/effects.ts'
import type { Import, Module } from '../model/module.ts'
import type { LiquidText, PageSettings, PolicySettings, SettingTree, TranslationNode } from '../model/settings.ts'
import type { DataSchema } from '../model/operation.ts'
import { surplusOf } from '../model/surplus.ts'
import type { Unit } from '../model/unit.ts'
import { partialName } from '../source/kinds.ts'
import { dependsOnFile, hasOwnScope } from '../types/old-variables.ts'
import type { EmitContext } from './context.ts'
import { bytesName, printsBytes } from './bytes.ts'
import { finished } from './emit.ts'
import { emitBeside } from './beside.ts'
import { FINGERPRINT, FINGERPRINT_MODULE } from './fingerprint.ts'
import { emitForms, type SettingWriter } from './form.ts'
import { importPath, modulePath, propertyName } from './names.ts'
import { data, plain } from './plain.ts'
import { annotation, quoted, Writer } from './writer.ts'

export const MANIFEST = 'site.ts'

export function emitManifest(context: EmitContext, linked: Linked): Module {
  const { site } = context
  const faces = new Map<string, Set<string>>()
  const w = new Writer()
  const face = (key: string, which: 'render' | 'value' | 'shared'): string => {
    const effects = linked.effects.get(key)
    if (effects === undefined || !effects.faces.has(which)) return 'null'
    const file = key.split('#')[0] as string
    const name = context.faceName(key, which)
    faces.set(file, (faces.get(file) ?? new Set()).add(name))
    return name
  }
  const bytes = (unit: Unit): string => {
    const name = bytesName(context, unit)
    faces.get(unit.file.path)?.add(name)
    return name
  }
  const liquid = (unit: Unit, path: string, text: LiquidText): string => {
    const key = `${unit.file.path}#${path}`
    // Partials are listed with their settings, which nobody renders.
    return unit.inner.has(path) && unit.file.kind !== 'partial'
      ? `{ kind: 'liquid', render: ${face(key, 'render')} }`
      : plain(text.text)
  }
  const setting = (unit: Unit, path: string, tree: SettingTree): string => {
    switch (tree.kind) {
      case 'plain':
        return plain(tree.value, tree.float)
      case 'liquid':
        return liquid(unit, path, tree)
      case 'list':
        return `{ kind: 'list', items: [${tree.items.map((item, at) => setting(unit, `${path}.${at}`, item)).join(', ')}] }`
      case 'map':
        return `{ kind: 'map', entries: { ${[...tree.entries].map(([key, value]) => `${propertyName(key)}: ${setting(unit, `${path}.${key}`, value)}`).join(', ')} } }`
    }
  }
  const optional = (unit: Unit, path: string, text: LiquidText | null) =>
    text === null ? 'null' : liquid(unit, path, text)

  let closing = false
  const names = new Map<Unit, string>()
  for (const [name, layout] of site.layoutKeys) if (!names.has(layout)) names.set(layout, name)
  const layoutName = (page: Unit<PageSettings>): string => {
    const layout = site.pageLayouts.get(page.file.path)
    return layout === undefined ? 'null' : quoted(names.get(layout) ?? layout.file.name)
  }

  w.block(`${annotation('export ')}const site${annotation(': CompiledSite')} =`, null, () => {
    w.statement('abi: ABI,', null)
    w.statement(`builtBy: ${quoted(VERSION)},`, null)
    w.statement(`dialect: ${quoted(site.dialect)},`, null)
    const { config } = site
    w.block(
      'options:',
      null,
      () => {
        w.statement(`raise: ${site.raise},`, null)
        w.statement(`raiseQueries: ${site.raiseQueries},`, null)
        w.statement(`htmlFormatExactMatch: ${config.htmlFormatExactMatch},`, null)
        w.statement(`redirectTrailingSlash: ${config.redirectTrailingSlash},`, null)
        w.statement(`safeTranslate: ${config.safeTranslate},`, null)
        if (config.sanitizeOutput) w.statement('clean: { text: clean, attribute: cleanAttribute },', null)
        w.statement(`policyReturnTo: ${!config.doNotAddReturnTo},`, null)
        w.statement(`requireTableForDelete: ${config.requireTableForRecordDeleteMutation},`, null)
        w.statement(`argumentMismatch: ${quoted(config.graphqlArgumentTypeMismatchMode)},`, null)
        w.statement(`argumentMismatchWritten: ${config.argumentMismatchWritten},`, null)
        w.statement(`defaultLayout: ${quoted(config.defaultLayout)},`, null)
        w.statement(`migrationsStrict: ${config.migrationsStrict},`, null)
        w.statement(`cookiesSameSite: ${quoted(config.cookiesSameSite)},`, null)
        const unit = site.units.find(({ file }) => file.kind === 'config')
        const themes = config.themeSearchPaths.map((text, at) =>
          unit === undefined ? plain(text.text) : liquid(unit, `themeSearchPaths.${at}`, text),
        )
        w.statement(`themeSearchPaths: [${themes.join(', ')}],`, null)
        const { enabled, passwordConstant, partial } = config.maintenance
        w.statement(
          `maintenance: { enabled: ${enabled}, passwordConstant: ${quoted(passwordConstant)}, partial: ${quoted(partial)} },`,
          null,
        )
      },
      ',',
    )
    w.block(
      'pages: [',
      null,
      () => {
        for (const page of site.pages) {
          const s = page.settings
          const also =
            s.route.alsoAt === null
              ? []
              : [
                  {
                    slug: s.route.alsoAt,
                    segments: s.route.alsoAt.split('/').map((text) => ({ kind: 'static' as const, text })),
                  },
                ]
          for (const { slug, segments } of [{ slug: s.route.slug, segments: s.route.segments }, ...also]) {
            w.block(
              '',
              null,
              () => {
                w.statement(`file: ${quoted(page.file.path)},`, null)
                w.statement(`name: ${quoted(page.file.name)},`, null)
                w.statement(`module: ${page.file.module === null ? 'null' : quoted(page.file.module)},`, null)
                w.statement(`slug: ${quoted(slug)},`, null)
                w.statement(`route: ${JSON.stringify(segments)},`, null)
                w.statement(`precedence: ${s.route.precedence},`, null)
                w.statement(`surplus: ${surplusOf(s, config.slugExactMatch)},`, null)
                w.statement(`method: ${quoted(s.method)},`, null)
                w.statement(`format: ${quoted(s.format)},`, null)
                w.statement(`layout: ${layoutName(page)},`, null)
                w.statement(`render: ${face(page.file.path, 'render')},`, null)
                if (printsBytes(context, page)) w.statement(`bytes: ${bytes(page)},`, null)
                w.statement(`markdown: ${s.converter === 'markdown'},`, null)
                w.statement(`metadata: ${setting(page, 'metadata', s.metadata)},`, null)
                w.statement(
                  `policies: [${s.authorizationPolicies.map((policy) => quoted(policy.name)).join(', ')}],`,
                  null,
                )
                w.statement(
                  `redirect: ${s.redirectTo === null ? 'null' : `{ target: ${liquid(page, 'redirectTo', s.redirectTo)}, code: ${s.redirectCode} }`},`,
                  null,
                )
                w.statement(
                  `responseHeaders: ${s.responseHeaders === null ? 'null' : setting(page, 'responseHeaders', s.responseHeaders)},`,
                  null,
                )
                const cache = s.dynamicCache
                w.statement(
                  `dynamicCache: ${cache === null ? 'null' : `{ key: ${optional(page, 'dynamicCache.key', cache.key)}, expire: ${cache.expire}, layout: ${cache.layout} }`},`,
                  null,
                )
                w.statement(`staticCache: ${s.staticCache},`, null)
                w.statement(`subdomain: ${s.subdomain === null ? 'null' : quoted(s.subdomain)},`, null)
                w.statement(`searchable: ${s.searchable},`, null)
              },
              ',',
            )
          }
        }
      },
      '],',
    )
    w.block(
      'layouts:',
      null,
      () => {
        for (const [name, layout] of site.layoutKeys) {
          const { metadata } = layout.settings as { metadata: SettingTree }
          w.statement(
            `${propertyName(name)}: { file: ${quoted(layout.file.path)}, name: ${quoted(name)}, metadata: ${setting(layout, 'metadata', metadata)}, render: ${face(layout.file.path, 'render')} },`,
            null,
          )
        }
      },
      ',',
    )
    const as: SettingWriter = { face: (key) => face(key, 'render'), setting, liquid }
    emitBeside(w, context, as)
    w.statement(`get fingerprint() { return ${FINGERPRINT}() },`, null)
    emitForms(w, site.formSchemas.values(), as)
    w.block(
      'policies:',
      null,
      () => {
        for (const [name, policy] of site.policies) {
          const s = policy.settings as PolicySettings
          w.statement(
            `${propertyName(name)}: { file: ${quoted(policy.file.path)}, name: ${quoted(name)}, render: ${face(policy.file.path, 'render')}, redirectTo: ${optional(policy, 'redirectTo', s.redirectTo)}, flashAlert: ${optional(policy, 'flashAlert', s.flashAlert)}, status: ${s.httpStatus} },`,
            null,
          )
        }
      },
      ',',
    )
    w.block(
      'partials:',
      null,
      () => {
        for (const [name, unit] of site.partials) {
          const effects = linked.effects.get(unit.file.path)
          if (effects === undefined || (effects.open.size === 0 && !site.openEntries)) continue
          const render = face(unit.file.path, 'render')
          // A layout is run by the host, but by this name it is called like any other partial.
          const closes = render !== 'null' && hasOwnScope(site, unit) && dependsOnFile(site)
          if (closes) closing = true
          w.statement(
            `${propertyName(name)}: { file: ${quoted(unit.file.path)}, render: ${closes ? `(r, scope) => ${render}(r, withoutOldNames(scope))` : render}, value: ${face(unit.file.path, 'value')}, shared: ${face(unit.file.path, 'shared')}${printsBytes(context, unit) ? `, bytes: ${bytes(unit)}` : ''} },`,
            null,
          )
        }
      },
      ',',
    )
    w.block(
      'translations:',
      null,
      () => {
        for (const [locale, tree] of site.translations)
          w.statement(`${propertyName(locale)}: ${translation(tree)},`, null)
      },
      ',',
    )
    w.block(
      'assets:',
      null,
      () => {
        for (const [url, path] of site.assets) w.statement(`${propertyName(url)}: ${quoted(path)},`, null)
      },
      ',',
    )
    w.block(
      'builtAssets:',
      null,
      () => {
        for (const [url, path] of site.assets)
          if (site.byFile.get(path)?.file.written !== undefined)
            w.statement(`${propertyName(url)}: ${quoted(builtAssetPath(path))},`, null)
      },
      ',',
    )
    w.statement(`assetsUpdated: ${context.assetsUpdated},`, null)
    const { operations } = context
    dataSchema(w, operations.data)
    w.block(
      'operations:',
      null,
      () => {
        for (const [name, { span, document }] of operations.stored)
          w.statement(`${propertyName(name)}: { file: ${quoted(span.file)}, document: ${quoted(document)} },`, null)
      },
      ',',
    )
    rows(w, 'indexes', operations.indexes)
    w.block(
      'partialFiles: [',
      null,
      () => {
        for (const unit of site.dialect === 'liquid' ? [] : site.units) {
          const { kind, path, format } = unit.file
          if (kind !== 'partial' && kind !== 'layout') continue
          const name = partialName(unit.file)
          const { metadata } = unit.settings as { metadata: SettingTree }
          w.statement(
            `{ file: ${quoted(path)}, name: ${quoted(name)}, format: ${format === null ? 'null' : quoted(format)}, metadata: ${setting(unit, 'metadata', metadata)} },`,
            null,
          )
        }
      },
      '],',
    )
  })
  const imports: Import[] = [
    {
      from: '#runtime',
      names: [
        'ABI',
        ...(closing ? ['withoutOldNames'] : []),
        ...(site.config.sanitizeOutput ? ['clean', 'cleanAttribute'] : []),
        ...(w.lines.some((line) => line.includes('new Float(')) ? ['Float'] : []),
      ],
      types: ['CompiledSite'],
    },
  ]
  imports.push({ from: importPath(MANIFEST, FINGERPRINT_MODULE), names: [FINGERPRINT], types: [] })
  for (const [file, used] of faces)
    imports.push({ from: importPath(MANIFEST, modulePath(file)), names: [...used].sort(), types: [] })
  fixBrackets(w)
  return finished(MANIFEST, null, imports, ['site'], w)
}

/** Tables, the properties of users, and profiles: one line each. */
function dataSchema(w: Writer, { tables, user, profiles, searchIndexes }: DataSchema): void {
  w.block(
    'data:',
    null,
    () => {
      rows(w, 'tables', tables)
      w.statement(`user: ${data(user)},`, null)
      rows(w, 'profiles', profiles)
      if (searchIndexes !== undefined) rows(w, 'searchIndexes', searchIndexes)
    },
    ',',
  )
}

/** A list of plain values, one a line. */
function rows(w: Writer, name: string, items: readonly unknown[]): void {
  w.block(
    `${name}: [`,
    null,
    () => {
      for (const item of items) w.statement(`${data(item)},`, null)
    },
    '],',
  )
}

/** `block` closes with a brace; a list's own bracket stands in its tail. */
function fixBrackets(w: Writer): void {
  for (const [at, line] of w.lines.entries()) {
    if (line.endsWith('[ {')) w.lines[at] = line.slice(0, -2)
    else if (line.trim() === '}],') w.lines[at] = line.replace('}],', '],')
    else if (line.trim() === '{' && line.endsWith(' {')) w.lines[at] = line.replace(/ \{$/, '{')
  }
}

function translation(node: TranslationNode): string {
  if (node.kind === 'value') return data(node.value)
  return `{ ${[...node.entries].map(([key, value]) => `${propertyName(key)}: ${translation(value)}`).join(', ')} }`
}

/** The compiler's version, repeated in what it builds. */
export const VERSION = '0.1.0'
