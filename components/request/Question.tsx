/** A question: its first line large, the rest as it was written. Never Markdown, which could hide part of it. */
import { PathText } from '@/components/ui/FileLink'
import { LongText } from '@/components/ui/LongText'
import { splitQuestion } from './shown'

export function QuestionText({ text, isHeading = true }: { text: string; isHeading?: boolean }) {
  const { head, rest } = splitQuestion(text)
  return (
    <div className="max-w-[68ch] min-w-0 break-words">
      {head === '' ? null : (
        <p className={isHeading ? 'text-question font-bold' : 'font-medium'} data-part="question">
          <PathText text={head} />
        </p>
      )}
      {rest === '' ? null : <LongText text={rest} className="mt-1 block whitespace-pre-wrap text-t2" />}
    </div>
  )
}
