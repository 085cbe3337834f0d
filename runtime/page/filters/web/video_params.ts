/** `video_params`: the parts of a video's URL. */
import { type HashValue, makeHash } from '../../values/access.ts'
import { Safe } from '../../values/text.ts'
import { textArgument } from '../text/pattern-argument.ts'
import type { Textual } from '../types.ts'
import { createFrame, findVideo } from './videos.ts'

export const dialect = 'platform'

/**
 * The provider, URL, id, embed URL and HTML frame of a video; nil for other URLs.
 * @throws ArgumentFault for an input that is not text
 */
export function video_params(input: Textual): HashValue | null {
  const url = textArgument(input, 'video_params')
  const video = findVideo(url)
  if (video === null) return null
  return makeHash([
    ['provider', video.provider],
    ['url', url],
    ['video_id', video.id],
    ['embed_url', video.embedUrl],
    ['embed_code', new Safe(createFrame(video, null))],
  ])
}
