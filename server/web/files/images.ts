/** Processes images: removes camera metadata and creates resized versions. The image library is loaded on first use. */
import type { Sharp } from 'sharp'
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { FileRefused, type ImageFormat, type ImageVersion } from './model.ts'

/**
 * Maximum number of pixels of an image, all frames together. Larger images are decompression bombs or not meant for web pages.
 * Reading and writing such an image line by line takes 150 MB.
 */
const MAX_PIXELS = 64_000_000
/**
 * Maximum number of pixels of an image that the library holds in memory as a whole, with four bytes per pixel, and twice while
 * writing.
 */
const MAX_WHOLE_PIXELS = 32_000_000
/** Maximum number of pixels of AVIF, whose encoder needs thirty bytes per pixel. */
const MAX_AVIF_PIXELS = 12_000_000
/** Images with more pixels are written line by line instead of progressively. */
const MAX_PROGRESSIVE_PIXELS = 4_000_000
/** Timeout for processing one image, in seconds. */
const SECONDS = 30

const FORMATS: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/** File extension of each format. */
export const EXTENSIONS: Readonly<Record<ImageFormat, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif' }

/** Properties of an image. */
export interface ImageFacts {
  /** In pixels, after applying the orientation. */
  readonly width: number
  readonly height: number
  /** Whether it contains metadata, such as location or author, or must be rotated. */
  readonly hasMetadata: boolean
  /** Number of frames; more than one for an animation. */
  readonly frames: number
}

/**
 * Reads the header of an image.
 * @throws FileRefused when the file is not an image or has too many pixels
 */
export async function readImage(path: string): Promise<ImageFacts> {
  const image = await openImage(path)
  const metadata = await image.metadata().catch((error: unknown) => refuse(error))
  const { width, height, pages = 1, exif, xmp, iptc, orientation = 1, isProgressive = false, format } = metadata
  const isLinear = (format === 'jpeg' || format === 'png') && !isProgressive && (orientation === 1 || format === 'jpeg')
  checkPixels(width * height * pages, format === 'heif' ? 'avif' : isLinear ? 'png' : 'webp')
  const hasMetadata = exif !== undefined || xmp !== undefined || iptc !== undefined || orientation > 1
  return { width, height, hasMetadata, frames: pages }
}

/**
 * Re-encodes an image without its metadata. The orientation and the color profile are kept.
 * @throws FileRefused when its pixels cannot be read
 */
export async function cleanImage(sourcePath: string, targetPath: string, type: string): Promise<void> {
  const image = await openImage(sourcePath)
  const format = FORMATS[type] ?? null
  const pixels = await countPixels(image)
  const upright = image.autoOrient().keepIccProfile()
  await write(format === null ? upright : encode(upright, format, format === 'png' ? null : 92, pixels), targetPath)
}

/**
 * Creates a version of an image.
 * @param type media type of the original
 * @throws FileRefused when its pixels cannot be read
 */
export async function makeVersion(
  sourcePath: string,
  targetPath: string,
  type: string,
  version: ImageVersion,
): Promise<void> {
  const original = await openImage(sourcePath)
  const { width, height, fit } = version
  const format = versionFormat(type, version)
  const isWhole = width === null && height === null
  const pixels = isWhole ? await countPixels(original) : (width ?? height ?? 0) * (height ?? width ?? 0)
  if (isWhole) checkPixels(pixels, format)
  let image = original.autoOrient()
  const background = colorOr(image, version.background ?? BLACK, BLACK)
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
    image = image.flatten({ background: flatten === true ? background : colorOr(image, flatten, background) })
  }
  await write(encode(image, format, version.quality, pixels), targetPath)
}

async function countPixels(image: Sharp): Promise<number> {
  const { width, height, pages = 1 } = await image.metadata().catch((error: unknown) => refuse(error))
  return width * height * pages
}

/**
 * Checks the number of pixels against the memory that the format needs.
 * @throws FileRefused when there are too many
 */
function checkPixels(pixels: number, format: ImageFormat): void {
  const maxPixels = format === 'avif' ? MAX_AVIF_PIXELS : format === 'webp' ? MAX_WHOLE_PIXELS : MAX_PIXELS
  if (pixels > maxPixels) throw tooManyPixels(maxPixels)
}

const BLACK = '#000000'

/** Returns the color, or the fallback when the library does not know the color's name. */
function colorOr(image: Sharp, colour: string, fallback: string): string {
  try {
    image.clone().flatten({ background: colour })
    return colour
  } catch {
    return fallback
  }
}

/**
 * Returns the format of a version: the declared format or else the original's format. Returns png when the original's
 * format cannot be written.
 */
export function versionFormat(type: string, version: ImageVersion): ImageFormat {
  return version.format ?? FORMATS[type] ?? 'png'
}

async function openImage(path: string): Promise<Sharp> {
  const { default: sharp } = await loadPackage('sharp', 'An image', () => import('sharp'))
  // No caching, because files come from many visitors and none is read twice.
  sharp.cache(false)
  // One image at a time in one thread, because each thread has its own buffers.
  sharp.concurrency(1)
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
    seconds: SECONDS,
  })
}

function encode(image: Sharp, format: ImageFormat, quality: number | null, pixels: number): Sharp {
  const qualityOption = quality === null ? {} : { quality }
  const progressive = pixels <= MAX_PROGRESSIVE_PIXELS
  switch (format) {
    case 'jpeg':
      // Optimized coding needs the whole image in memory, like progressive encoding.
      return image.jpeg({ quality: 85, progressive, optimiseCoding: progressive, ...qualityOption })
    case 'png':
      return image.png({ progressive, ...qualityOption })
    case 'webp':
      return image.webp({ quality: 80, ...qualityOption })
    case 'avif':
      return image.avif(qualityOption)
  }
}

async function write(image: Sharp, targetPath: string): Promise<void> {
  await runExclusively(() => image.toFile(targetPath)).catch((error: unknown) => refuse(error))
}

let lastTask: Promise<unknown> = Promise.resolve()

/** Runs one task at a time, because a decoded image may take a quarter of a gigabyte. */
function runExclusively<T>(task: () => Promise<T>): Promise<T> {
  const result = lastTask.then(task)
  // The caller receives the error. The next image only waits for this one to end.
  lastTask = result.catch(() => undefined)
  return result
}

// Throws an error without the library's message, which contains local paths.
function refuse(error: unknown): never {
  if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels(MAX_PIXELS)
  throw new FileRefused('file_image', 'is not a readable image')
}

function tooManyPixels(maxPixels: number): FileRefused {
  const count = maxPixels / 1_000_000
  return new FileRefused('file_pixels', `has too many pixels (maximum is ${count} million)`, { count })
}
