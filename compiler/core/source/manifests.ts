/** Manifests of modules: `pos-module.json`, and `template-values.json` beside it. They come from outside, like everything a module brings. */
import * as z from 'zod'
import type { TemplateValues } from './template-values.ts'

/** Later ones win. */
const NAMES: readonly string[] = ['pos-module.json', 'template-values.json']
/** Bytes of the largest manifest that is read. */
export const LARGEST_MANIFEST = 1024 * 1024

/** Where sites list the modules that they use, beside the manifest in their root. */
export const LISTS: readonly string[] = ['app/pos-modules.json', 'marketplace_builder/pos-modules.json']

const PATH = /^(?:modules\/[^/]+\/)?(?:pos-module|template-values)\.json$/
const MODULE_FILE = /^modules\/([^/]+)\//
const OWN_FILE = /^(?:public|private)\//
const APPLICATION_FILE = /^(?:app|marketplace_builder)\//
/** Files whose texts take template values. */
const FILLED = /\.(?:liquid|graphql|yml|json|xml|svg|html|css|js)$/

/** Whether a path of a site is that of a manifest whose values count. */
export function isManifest(path: string): boolean {
  return PATH.test(path)
}

/** The manifests that a folder may hold; its name ends with a slash, or is empty. */
export function manifestsIn(folder: string): readonly string[] {
  return NAMES.map((name) => `${folder}${name}`)
}

/** What a manifest says of a module that is needed. */
export interface ModuleRequirement {
  /** Of the manifest. */
  readonly path: string
  /** Versions that will do, as they are written: `^1.2.0`. */
  readonly version: string
}

/** What the manifests of a site, and of its modules, say that they need, by the name of the module. */
export type ModuleRequirements = ReadonlyMap<string, ModuleRequirement>

export interface Manifests {
  /** What the site's root says that it is: the name of a module; null where it says nothing. */
  readonly rootModule: string | null
  readonly requiredModules: ModuleRequirements
  /** Manifests that do not say what they are read for, and why. */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
  /**
   * The values for the texts of a file: of its module, or those of the root for a file of the application. Null for files that
   * take none, and where no manifest gives any.
   */
  valuesFor(path: string): TemplateValues | null
}

const object = z.record(z.string(), z.unknown())
const machineName = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

/**
 * What the manifests of a site say.
 * @param texts by path, as `isManifest` knows them; all others are left alone
 */
export function readManifests(texts: ReadonlyMap<string, string>): Manifests {
  const problems: { readonly path: string; readonly message: string }[] = []
  const read = new Map<string, TemplateValues>()
  const declared = new Map<string, ModuleRequirement>()
  for (const [path, text] of texts) {
    const isList = LISTS.includes(path)
    if (!isList && !isManifest(path)) continue
    const fields = fieldsOf(text)
    for (const [module, version] of needsOf(fields ?? NO_VALUES))
      if (!declared.has(module)) declared.set(module, { path, version })
    if (isList) continue
    if (fields === null) problems.push({ path, message: 'its text is not a JSON object' })
    else read.set(path, path.endsWith('pos-module.json') ? scalars(fields) : fields)
  }
  const named = NAMES.map((name) => machineName.safeParse(read.get(name)?.get('machine_name')).data)
  const rootModule = named.find((name) => name !== undefined) ?? null
  for (const path of read.keys()) {
    const module = MODULE_FILE.exec(path)?.[1]
    const files = NAMES.map((name) => read.get(`modules/${module}/${name}`))
    if (module === undefined || !path.endsWith('pos-module.json') || files.some((file) => file?.has('machine_name')))
      continue
    problems.push({
      path,
      message: `it has no \`machine_name\`, so the name of the module is that of its folder, \`${module}\``,
    })
  }
  const application = read.get('template-values.json') ?? NO_VALUES
  const modules = new Map<string, TemplateValues>()
  const ofModule = (module: string): TemplateValues => {
    let known = modules.get(module)
    if (known === undefined) {
      // The manifest of a module that is worked on lies in the root.
      const files = NAMES.flatMap((name, at) => [...(named[at] === module ? [name] : []), `modules/${module}/${name}`])
      known = new Map(files.flatMap((file) => [...(read.get(file) ?? NO_VALUES)]))
      modules.set(module, known)
    }
    return known
  }
  return {
    rootModule,
    requiredModules: declared,
    problems,
    valuesFor(path) {
      if (!FILLED.test(path)) return null
      const module = MODULE_FILE.exec(path)?.[1] ?? (OWN_FILE.test(path) ? rootModule : null)
      const values = module !== null ? ofModule(module) : APPLICATION_FILE.test(path) ? application : NO_VALUES
      return values.size === 0 ? null : values
    },
  }
}

const NO_VALUES: TemplateValues = new Map()

function fieldsOf(text: string): TemplateValues | null {
  try {
    const read = object.safeParse(JSON.parse(text))
    return read.success ? new Map(Object.entries(read.data)) : null
  } catch {
    return null
  }
}

const needs = z.record(machineName, z.string().max(100).catch('')).catch({})

/** The modules that a manifest lists, with the versions that will do. */
function needsOf(fields: TemplateValues): readonly (readonly [module: string, version: string])[] {
  return ['dependencies', 'modules', 'devDependencies'].flatMap((key) =>
    Object.entries(needs.parse(fields.get(key) ?? {})),
  )
}

/** Without lists of dependencies and the like, which are no values of templates. */
function scalars(fields: TemplateValues): TemplateValues {
  return new Map([...fields].filter(([, value]) => value !== null && typeof value !== 'object'))
}
