/** `videoify`: a video as a frame of the page. */
import { Safe } from '../../values/text.ts'
import { textArgument } from '../text/pattern.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { frameOf, videoAt } from './videos.ts'

export const dialect = 'platform'

/**
 * The frame that shows the video at an address, with the named arguments as its attributes; empty for any other address.
 * @throws ArgumentFault for what is no text
 */
export function videoify(input: Textual, options: NamedArguments<{ [name: string]: Value }> = null): Safe {
  const video = videoAt(textArgument(input, 'videoify'))
  return new Safe(video === null ? '' : frameOf(video, options))
}
