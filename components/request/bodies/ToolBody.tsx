/** What a tool server asks for during a call: a form, a page to open, or a completion by the agent's model (MCP elicitation, sampling). */
import { ExternalLink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { SchemaForm } from '@/components/form/SchemaForm'
import { fieldsOf } from '@/components/form/schemaFields'
import { type FieldProblems, readTyped, valuesOf } from '@/components/form/schemaValues'
import { buttonClass } from '@/components/ui/Button'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { ServerButton } from '@/components/ui/ServerButton'
import type { ToolQuestion } from '@/lib/mas/records'
import { FailedLine } from '../card/Outcome'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ActionRow } from './ActionRow'
import { useArguments } from './useArguments'

export function ToolBody({
  shown,
  answering,
  isInactive = false,
}: {
  shown: RequestShown
  answering: Answering
  isInactive?: boolean
}) {
  const { tool } = shown.request
  if (!tool) return null
  const props = { shown, tool, answering, isOff: isInactive || answering.sending.state === 'sending' }
  switch (tool.asks) {
    case 'form':
      return <FormBody {...props} />
    case 'url':
      return <PageBody {...props} />
    case 'sampling':
      return <SamplingBody {...props} />
  }
}

type ToolBodyProps = { shown: RequestShown; tool: ToolQuestion; answering: Answering; isOff: boolean }

/** Declining is an answer of its own, other than none: the tool server treats them differently. */
function Foot({ answering, isOff, children }: { answering: Answering; isOff: boolean; children: ReactNode }) {
  const t = useTranslations('request')
  return (
    <>
      <FailedLine sending={answering.sending} />
      <ActionRow>
        {children}
        <ServerButton isDisabled={isOff} onClick={() => void answering.submit({ decision: 'refuse', text: '' })}>
          {t('decline')}
        </ServerButton>
      </ActionRow>
    </>
  )
}

function FormBody({ tool, answering, isOff }: ToolBodyProps) {
  const t = useTranslations('request')
  const fields = fieldsOf(tool.schema)
  const [problems, setProblems] = useState<FieldProblems>({})
  // The draft keeps the fields as JSON, so that they outlive a reload.
  const typed = readTyped(answering.text) ?? {}
  if (fields === null) return <p className="mt-2 text-table text-t2">{t('noForm')}</p>
  const send = (): void => {
    const read = valuesOf(fields, typed)
    setProblems(read.ok ? {} : read.troubles)
    if (read.ok) void answering.submit({ decision: 'answer', text: '', arguments: JSON.stringify(read.values) })
  }
  return (
    <div className="mt-3">
      <SchemaForm
        fields={fields}
        typed={typed}
        troubles={problems}
        onChange={(next) => {
          setProblems({})
          answering.setText(JSON.stringify(next))
        }}
      />
      <OtherDraft draft={answering.draft} className="mt-1" />
      <Foot answering={answering} isOff={isOff}>
        <ServerButton look="primary" data-act="reply" isDisabled={isOff} onClick={send}>
          {t('sendForm')}
        </ServerButton>
      </Foot>
    </div>
  )
}

function PageBody({ tool, answering, isOff }: ToolBodyProps) {
  const t = useTranslations('request')
  const isSafe = tool.url !== null && /^https?:\/\//.test(tool.url)
  return (
    <div className="mt-2">
      <p className="text-table text-t2">{t('pageWhy', { server: tool.server })}</p>
      <p data-literal className="mt-1 font-mono text-table break-all">
        {tool.url}
      </p>
      <Foot answering={answering} isOff={isOff}>
        {isSafe ? (
          <a href={tool.url ?? ''} target="_blank" rel="noopener noreferrer" className={buttonClass('plain')}>
            <ExternalLink className="size-4" />
            {t('openPage')}
          </a>
        ) : null}
        <ServerButton
          look="primary"
          isDisabled={isOff}
          onClick={() => void answering.submit({ decision: 'done', text: '' })}
        >
          {t('pageDone')}
        </ServerButton>
      </Foot>
    </div>
  )
}

/** Nothing is sent to a model at a server's request alone: a person sees all of it first. */
function SamplingBody({ shown, answering, isOff }: ToolBodyProps) {
  const t = useTranslations('request')
  const { data: given = null } = useArguments(shown.request)
  return (
    <div className="mt-2">
      <TextArea label={t('wouldBeSent')} readOnly minLines={3} maxLines={12} value={given?.text ?? ''} />
      <Foot answering={answering} isOff={isOff}>
        <ServerButton
          data-act="reply"
          isDisabled={isOff || given === null}
          onClick={() => void answering.submit({ decision: 'approve', text: '', digest: given?.digest })}
        >
          {t('allowOnce')}
        </ServerButton>
      </Foot>
    </div>
  )
}
