import type { Attachment } from '../records'

/** A message as agents read it: its text, and a line for each file that came along. */
export const textWithFiles = (text: string, attachments: readonly Attachment[]): string =>
  [
    text,
    ...attachments.map(
      ({ name, body, savedAs }) =>
        `[attachment ${name}, ${body.mime}, ${body.bytes} bytes${savedAs === null ? '' : `, saved as ${savedAs}`}]`,
    ),
  ].join('\n')
