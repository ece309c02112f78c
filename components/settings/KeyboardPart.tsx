import { useTranslations } from 'use-intl'
import { setDisplay, useDisplay } from '@/client/theme'
import { Checkbox, RadioChoice } from '@/components/ui/fields/Choice'
import { OwnKeysPart } from './OwnKeys'
import { Setting, useKeep } from './Setting'

export function KeyboardPart() {
  const t = useTranslations('settings')
  const singleKeys = useDisplay((display) => display.singleKeys)
  const send = useDisplay((display) => display.send)
  const keep = useKeep()
  return (
    <>
      <Setting name={t('singleKeys')}>
        <Checkbox
          label={t('singleKeysWhy')}
          isChecked={singleKeys}
          onChange={(next) => {
            setDisplay({ singleKeys: next })
            keep({ singleKeys: next })
          }}
        />
      </Setting>
      <Setting name={t('send')}>
        <RadioChoice
          label={t('send')}
          value={send}
          onChange={(next) => setDisplay({ send: next })}
          choices={[
            { value: 'enter', label: t('sendEnter') },
            { value: 'mod-enter', label: t('sendMod') },
          ]}
        />
      </Setting>
      <Setting name={t('keyboard')} hint={t('keysHere')}>
        <OwnKeysPart />
      </Setting>
    </>
  )
}
