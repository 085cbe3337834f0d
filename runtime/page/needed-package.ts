/** Packages that not every installation has, because they are large or hold programs of the machine: what is said where one is missing. */

export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
}

/**
 * Loads a package on its first use.
 * @param name of the package
 * @param use what needs it, as a sentence begins: 'Encrypting a file'
 * @throws MissingPackage where it, or its part for this machine, is not installed
 */
export async function neededPackage<Loaded>(name: string, use: string, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    throw explained(error, name, use)
  }
}

/** An error of loading a package, or what it means: that the package, or its part for this machine, is not installed. */
export function explained(error: unknown, name: string, use: string): unknown {
  if (!missing(error)) return error
  const sentence = `${use} needs the package '${name}', which is not installed for this machine: \`npm install ${name}\`.`
  return new MissingPackage(sentence, { cause: error })
}

/** Whether an error of loading says that something is not there. */
function missing(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && (each.code === 'ERR_MODULE_NOT_FOUND' || each.code === 'MODULE_NOT_FOUND')) return true
  }
  return false
}
