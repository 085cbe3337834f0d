/** Images: what cameras wrote into them is taken out, and further sizes are made. The library is loaded with the first image. */
import type { Sharp } from 'sharp'
import { FileRefused, type ImageFormat, type ImageVersion } from './model.ts'

/** Pixels of an image, all its frames together: what is larger is a trap, or was never meant for a page. */
const MAX_PIXELS = 64_000_000
/** Seconds for one image. */
const SECONDS = 30

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** Extension of a format's files. */
export const EXTENSIONS: Readonly<Record<ImageFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' }

export interface ImageFacts {
  /** Pixels, as it is shown. */
  readonly width: number
  readonly height: number
  /** It holds where or by whom it was taken, or lies on its side. */
  readonly marked: boolean
  /** More than one moves. */
  readonly frames: number
}

/** Reads the head of an image. @throws FileRefused where it is none, or has too many pixels */
export async function readImage(path: string): Promise<ImageFacts> {
  const image = await open(path)
  const facts = await image.metadata().catch((error: unknown) => refuse(error))
  const { width, height, pages = 1, exif, xmp, iptc, orientation = 1 } = facts
  if (width * height * pages > MAX_PIXELS) throw tooManyPixels()
  const marked = exif !== undefined || xmp !== undefined || iptc !== undefined || orientation > 1
  return { width, height, marked, frames: pages }
}

/**
 * Writes an image anew as it is shown, without what was written into it; its colours stay.
 * @throws FileRefused where its pixels cannot be read
 */
export async function cleanImage(from: string, to: string, type: string): Promise<void> {
  const image = await open(from)
  const format = FORMATS[type] ?? null
  const upright = image.autoOrient().keepIccProfile()
  await write(format === null ? upright : encoded(upright, format, format === 'png' ? null : 92), to)
}

/** Makes a version of an image. @param type of the original @throws FileRefused where its pixels cannot be read */
export async function makeVersion(from: string, to: string, type: string, version: ImageVersion): Promise<void> {
  let image = (await open(from)).autoOrient()
  const { width, height, fit } = version
  const background = colourOr(image, version.background ?? BLACK, BLACK)
  if (width !== null || height !== null) {
    image = image.resize({
      ...(width === null ? {} : { width }),
      ...(height === null ? {} : { height }),
      fit,
      position: version.position ?? 'center',
      background,
      withoutEnlargement: version.withoutEnlargement === true,
    })
  }
  if (version.greyscale === true) image = image.greyscale()
  if (version.blur !== undefined && version.blur !== null) image = image.blur(version.blur)
  const { flatten = false } = version
  if (flatten !== false) {
    image = image.flatten({ background: flatten === true ? background : colourOr(image, flatten, background) })
  }
  await write(encoded(image, versionFormat(type, version), version.quality), to)
}

const BLACK = '#000000'

/** A colour as it is written, or the other one where it is a word that names none. */
function colourOr(image: Sharp, colour: string, other: string): string {
  try {
    image.clone().flatten({ background: colour })
    return colour
  } catch {
    return other
  }
}

/** The format of a version: the declared one, else the original's; of what is only shown, png. */
export function versionFormat(type: string, version: ImageVersion): ImageFormat {
  return version.format ?? FORMATS[type] ?? 'png'
}

async function open(path: string): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  // Files come one at a time from many visitors, and none comes twice.
  sharp.cache(false)
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
    seconds: SECONDS,
  })
}

function encoded(image: Sharp, format: ImageFormat, quality: number | null): Sharp {
  const given = quality === null ? {} : { quality }
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 85, progressive: true, ...given })
    case 'png':
      return image.png({ progressive: true, ...given })
    case 'webp':
      return image.webp({ quality: 80, ...given })
    case 'avif':
      return image.avif(given)
  }
}

async function write(image: Sharp, to: string): Promise<void> {
  await inTurn(() => image.toFile(to)).catch((error: unknown) => refuse(error))
}

let last: Promise<unknown> = Promise.resolve()

/** One image after another: each may take a quarter of a gigabyte while its pixels lie open. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work)
  // Whoever asked gets the failure; the next image only waits for the end of this one.
  last = done.catch(() => undefined)
  return done
}

// What the library says names our own paths.
function refuse(error: unknown): never {
  if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels()
  throw new FileRefused('file_image', 'is not an image that can be read')
}

function tooManyPixels(): FileRefused {
  return new FileRefused('file_pixels', `has too many pixels (maximum is ${MAX_PIXELS / 1_000_000} million)`, {
    count: MAX_PIXELS / 1_000_000,
  })
}
