/** Answering for somebody else, loaded for operators only. */
import type { ComponentProps } from 'react'
import { answerForBody } from '@/components/shell/lazyParts'
import { useLazyPart } from '@/components/ui/useLazyPart'
import type AnswerForBody from './AnswerForBody'

export function AnswerFor(props: ComponentProps<typeof AnswerForBody>) {
  const Body = useLazyPart(answerForBody, props.task.isOperator)
  return Body ? <Body {...props} /> : null
}
