/**
 * Processes images: removes camera metadata and creates resized versions. The library is loaded with the first image.
 */
import type { Sharp } from 'sharp'
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { FileRefused, type ImageFormat, type ImageVersion } from './model.ts'

/**
 * Most pixels of an image, all frames together; larger images are decompression bombs or not meant for a web page. An
 * image of that size that is read and written line by line takes 150 MB.
 */
const MAX_PIXELS = 64_000_000
/** Most pixels of one that its library holds as a whole, in four bytes each and once more while it writes them. */
const MAX_WHOLE_PIXELS = 32_000_000
/** Most pixels of AVIF, whose coder takes thirty bytes for each. */
const MAX_AVIF_PIXELS = 12_000_000
/** Images with more pixels are written line by line, not in passes of growing sharpness. */
const MAX_PASSES_PIXELS = 4_000_000
/** Timeout for one image. */
const SECONDS = 30

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** File extension of each format. */
export const EXTENSIONS: Readonly<Record<ImageFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' }

export interface ImageFacts {
  /** In pixels, after applying the orientation. */
  readonly width: number
  readonly height: number
  /** Whether it contains metadata, such as location or author, or must be rotated. */
  readonly marked: boolean
  /** Number of frames; more than one for an animation. */
  readonly frames: number
}

/**
 * Reads the header of an image.
 * @throws FileRefused when the file is no image or has too many pixels
 */
export async function readImage(path: string): Promise<ImageFacts> {
  const image = await open(path)
  const facts = await image.metadata().catch((error: unknown) => refuse(error))
  const { width, height, pages = 1, exif, xmp, iptc, orientation = 1, isProgressive = false, format } = facts
  const isLinear = (format === 'jpeg' || format === 'png') && !isProgressive && (orientation === 1 || format === 'jpeg')
  checkPixels(width * height * pages, format === 'heif' ? 'avif' : isLinear ? 'png' : 'webp')
  const marked = exif !== undefined || xmp !== undefined || iptc !== undefined || orientation > 1
  return { width, height, marked, frames: pages }
}

/**
 * Re-encodes an image without its metadata, in its orientation and with its colour profile.
 * @throws FileRefused when its pixels cannot be read
 */
export async function cleanImage(from: string, to: string, type: string): Promise<void> {
  const image = await open(from)
  const format = FORMATS[type] ?? null
  const pixels = await pixelsOf(image)
  const upright = image.autoOrient().keepIccProfile()
  await write(format === null ? upright : encoded(upright, format, format === 'png' ? null : 92, pixels), to)
}

/**
 * Creates a version of an image.
 * @param type media type of the original
 * @throws FileRefused when its pixels cannot be read
 */
export async function makeVersion(from: string, to: string, type: string, version: ImageVersion): Promise<void> {
  const original = await open(from)
  const { width, height, fit } = version
  const format = versionFormat(type, version)
  const isWhole = width === null && height === null
  const pixels = isWhole ? await pixelsOf(original) : (width ?? height ?? 0) * (height ?? width ?? 0)
  if (isWhole) checkPixels(pixels, format)
  let image = original.autoOrient()
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
  await write(encoded(image, format, version.quality, pixels), to)
}

async function pixelsOf(image: Sharp): Promise<number> {
  const { width, height, pages = 1 } = await image.metadata().catch((error: unknown) => refuse(error))
  return width * height * pages
}

/** @throws FileRefused when an image takes more memory than a process has for it, as it is read or written in a format */
function checkPixels(pixels: number, format: ImageFormat): void {
  const most = format === 'avif' ? MAX_AVIF_PIXELS : format === 'webp' ? MAX_WHOLE_PIXELS : MAX_PIXELS
  if (pixels > most) throw tooManyPixels(most)
}

const BLACK = '#000000'

/** The colour, or the fallback when the library does not know the colour's name. */
function colourOr(image: Sharp, colour: string, other: string): string {
  try {
    image.clone().flatten({ background: colour })
    return colour
  } catch {
    return other
  }
}

/** The format of a version: the declared one, else the original's; png when the original's format cannot be written. */
export function versionFormat(type: string, version: ImageVersion): ImageFormat {
  return version.format ?? FORMATS[type] ?? 'png'
}

async function open(path: string): Promise<Sharp> {
  const { default: sharp } = await loadPackage('sharp', 'An image', () => import('sharp'))
  // No caching: files come from many visitors, and none is read twice.
  sharp.cache(false)
  // One image at a time, by one thread: each thread has buffers of its own.
  sharp.concurrency(1)
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
    seconds: SECONDS,
  })
}

function encoded(image: Sharp, format: ImageFormat, quality: number | null, pixels: number): Sharp {
  const given = quality === null ? {} : { quality }
  const progressive = pixels <= MAX_PASSES_PIXELS
  switch (format) {
    case 'jpeg':
      // To choose the shortest codes it holds the whole image, as it does for passes.
      return image.jpeg({ quality: 85, progressive, optimiseCoding: progressive, ...given })
    case 'png':
      return image.png({ progressive, ...given })
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

/** Runs one at a time, because a decoded image may take a quarter of a gigabyte. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const done = last.then(task)
  // The caller receives the error; the next image only waits for the end.
  last = done.catch(() => undefined)
  return done
}

// The library's messages contain local paths, so they are not passed on.
function refuse(error: unknown): never {
  if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels(MAX_PIXELS)
  throw new FileRefused('file_image', 'is not an image that can be read')
}

function tooManyPixels(most: number): FileRefused {
  const count = most / 1_000_000
  return new FileRefused('file_pixels', `has too many pixels (maximum is ${count} million)`, { count })
}
