/** Checks emitted modules with `tsc --strict`, all in one program. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operationTypes } from '../../compiler/phases/bundle/operation-types.ts'
import type { Compiled } from '../../compiler/compile.ts'
import { printModule } from '../../compiler/phases/emit/emit.ts'
import { OPERATION_TYPES, typedOperations } from '../../compiler/phases/emit/operation.ts'
import { tsc } from './tsc.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder of modules that are checked together, with this project's compiler options. */
export class TypeCheck {
  readonly folder: string
  /** Generated operation types, by operations. Many sites have the same operations. */
  readonly #operations = new Map<string, Promise<string>>()
  /** Number of added modules. */
  count = 0
  /** Texts of the added modules. Paths begin with the name of the site. */
  readonly texts = new Map<string, string>()

  /** @param folder may be shared with another process; a new temporary folder by default */
  constructor(folder: string = mkdtempSync(join(tmpdir(), 'ingot-emitted-'))) {
    this.folder = folder
  }

  /** Adds the modules of a site, in a subfolder. */
  async add(name: string, { modules, operations }: Pick<Compiled, 'modules' | 'operations'>): Promise<void> {
    const typed = typedOperations(operations)
    if (typed.length > 0) {
      const key = JSON.stringify(typed)
      const types = this.#operations.get(key) ?? operationTypes(typed)
      this.#operations.set(key, types)
      this.#write(join(name, OPERATION_TYPES), await types)
    }
    for (const module of modules) this.#write(join(name, module.path), printModule(module).text)
    this.count += modules.length
  }

  #write(path: string, text: string): void {
    this.texts.set(path, text)
    const full = join(this.folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }

  /** Returns the lines of the compiler's output, with paths that begin with the name of the site. Empty if there are no errors. */
  async errors(): Promise<readonly string[]> {
    const compilerOptions = {
      rootDir: '/',
      noUnusedLocals: true,
      noUnusedParameters: true,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        'ingot/runtime': [join(root, 'runtime/index.ts')],
        'ingot/runtime/filters': [join(root, 'runtime/page/filters/names.generated.ts')],
      },
    }
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(
      join(this.folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions,
        include: ['.'],
        exclude: [],
      }),
    )
    return tsc(this.folder)
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
