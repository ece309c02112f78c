/** Answering for somebody else, loaded for operators only. */
import type { ComponentProps } from 'react'
import { useLazyPart } from '@/components/ui/lazyFile'
import { answerForBody } from '../lazy'
import type AnswerForBody from './AnswerForBody'

export function AnswerFor(props: ComponentProps<typeof AnswerForBody>) {
  const Body = useLazyPart(answerForBody, props.task.isOperator)
  return Body ? <Body {...props} /> : null
}
