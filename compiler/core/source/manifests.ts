/** Reads the manifests of modules: `pos-module.json`, and `template-values.json` next to it. They are untrusted input. */
import * as z from 'zod'
import type { TemplateValues } from './template-values.ts'
import { getOrMake } from './maps.ts'

/** Later files take precedence. */
const NAMES: readonly string[] = ['pos-module.json', 'template-values.json']
/** Maximum size of a manifest in bytes. */
export const MAX_MANIFEST_BYTES = 1024 * 1024

/** The files in which sites list their modules, in addition to the manifest in the root. */
export const LISTS: readonly string[] = ['app/pos-modules.json', 'marketplace_builder/pos-modules.json']

const PATH = /^(?:modules\/[^/]+\/)?(?:pos-module|template-values)\.json$/
const MODULE_FILE = /^modules\/([^/]+)\//
const OWN_FILE = /^(?:public|private)\//
const APPLICATION_FILE = /^(?:app|marketplace_builder)\//
/** Files whose texts can contain template values. */
const FILLED = /\.(?:liquid|graphql|yml|json|xml|svg|html|css|js)$/

/** Returns whether a path of a site is a manifest. */
export function isManifest(path: string): boolean {
  return PATH.test(path)
}

/** Returns the possible manifests of a folder. The folder ends with a slash, or is empty. */
export function manifestsIn(folder: string): readonly string[] {
  return NAMES.map((name) => `${folder}${name}`)
}

/** The requirement of a module in a manifest. */
interface ModuleRequirement {
  /** The path of the manifest. */
  readonly path: string
  /** The accepted versions as written: `^1.2.0`. */
  readonly version: string
}

/** The modules that the manifests of a site and its modules require, by module name. */
export type ModuleRequirements = ReadonlyMap<string, ModuleRequirement>

export interface Manifests {
  /** The module name in the root of the site; null if there is none. */
  readonly rootModule: string | null
  readonly requiredModules: ModuleRequirements
  /** Manifests that are not valid, with the reason. */
  readonly problems: readonly { readonly path: string; readonly message: string }[]
  /**
   * Returns the values for the text of a file: those of its module, or of the root for files of the application. Returns null for files
   * that
   * cannot contain values, and if no manifest defines any.
   */
  valuesFor(path: string): TemplateValues | null
}

const object = z.record(z.string(), z.unknown())
const machineName = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

/**
 * Parses the manifests of a site.
 * @param texts by path; paths that are not manifests (`isManifest`) are ignored
 */
export function readManifests(texts: ReadonlyMap<string, string>): Manifests {
  const problems: { readonly path: string; readonly message: string }[] = []
  const fieldsByManifest = new Map<string, TemplateValues>()
  const required = new Map<string, ModuleRequirement>()
  for (const [path, text] of texts) {
    const isList = LISTS.includes(path)
    if (!isList && !isManifest(path)) continue
    const fields = parseFields(text)
    for (const [module, version] of readRequirements(fields ?? NO_VALUES))
      if (!required.has(module)) required.set(module, { path, version })
    if (isList) continue
    if (fields === null) problems.push({ path, message: 'it is not a JSON object' })
    else fieldsByManifest.set(path, path.endsWith('pos-module.json') ? scalars(fields) : fields)
  }
  const rootNames = NAMES.map((name) => machineName.safeParse(fieldsByManifest.get(name)?.get('machine_name')).data)
  const rootModule = rootNames.find((name) => name !== undefined) ?? null
  for (const path of fieldsByManifest.keys()) {
    const module = MODULE_FILE.exec(path)?.[1]
    const files = NAMES.map((name) => fieldsByManifest.get(`modules/${module}/${name}`))
    if (module === undefined || !path.endsWith('pos-module.json') || files.some((file) => file?.has('machine_name')))
      continue
    problems.push({
      path,
      message: `it has no \`machine_name\`, so the module is named after its folder, \`${module}\``,
    })
  }
  const application = fieldsByManifest.get('template-values.json') ?? NO_VALUES
  const modules = new Map<string, TemplateValues>()
  const valuesOfModule = (module: string): TemplateValues =>
    getOrMake(modules, module, () => {
      // The manifest of a module under development is in the root.
      const files = NAMES.flatMap((name, at) => [
        ...(rootNames[at] === module ? [name] : []),
        `modules/${module}/${name}`,
      ])
      return new Map(files.flatMap((file) => [...(fieldsByManifest.get(file) ?? NO_VALUES)]))
    })
  return {
    rootModule,
    requiredModules: required,
    problems,
    valuesFor(path) {
      if (!FILLED.test(path)) return null
      const module = MODULE_FILE.exec(path)?.[1] ?? (OWN_FILE.test(path) ? rootModule : null)
      const values = module !== null ? valuesOfModule(module) : APPLICATION_FILE.test(path) ? application : NO_VALUES
      return values.size === 0 ? null : values
    },
  }
}

const NO_VALUES: TemplateValues = new Map()

function parseFields(text: string): TemplateValues | null {
  try {
    const parsed = object.safeParse(JSON.parse(text))
    return parsed.success ? new Map(Object.entries(parsed.data)) : null
  } catch {
    return null
  }
}

const requirements = z.record(machineName, z.string().max(100).catch('')).catch({})

/** Returns the modules that a manifest lists, with their accepted versions. */
function readRequirements(fields: TemplateValues): readonly (readonly [module: string, version: string])[] {
  return ['dependencies', 'modules', 'devDependencies'].flatMap((key) =>
    Object.entries(requirements.parse(fields.get(key) ?? {})),
  )
}

/** Returns the fields without lists and objects, which are not template values. */
function scalars(fields: TemplateValues): TemplateValues {
  return new Map([...fields].filter(([, value]) => value !== null && typeof value !== 'object'))
}
