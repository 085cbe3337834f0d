/** Loads optional packages, which are large or contain native programs, and reports missing ones. */

export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'
}

/**
 * Loads a package on its first use.
 * @param name the name of the package
 * @param use the beginning of the sentence in the error, such as 'Encrypting a file'
 * @throws MissingPackage when the package, or its part for this platform, is not installed
 */
export async function loadPackage<Loaded>(name: string, use: string, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    throw explainLoadError(error, name, use)
  }
}

/** Returns a `MissingPackage` when the error means that the package is not installed. Other errors are returned unchanged. */
export function explainLoadError(error: unknown, name: string, use: string): unknown {
  if (!isModuleNotFound(error)) return error
  const sentence = `${use} needs the package '${name}', which is not installed for this machine: \`npm install ${name}\`.`
  return new MissingPackage(sentence, { cause: error })
}

/** Returns whether an error from loading a module, or one of its causes, says that a module was not found. */
function isModuleNotFound(error: unknown): boolean {
  for (let currentError = error; currentError instanceof Error; currentError = currentError.cause) {
    if (
      'code' in currentError &&
      (currentError.code === 'ERR_MODULE_NOT_FOUND' || currentError.code === 'MODULE_NOT_FOUND')
    )
      return true
  }
  return false
}
