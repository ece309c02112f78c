import { type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { type ActionId, actionRow } from '@/client/actions/actionTable'
import { chordOf } from '@/client/actions/chords'
import { CHANGEABLE, type OwnKeys as Own, ownKey, whyNot } from '@/client/actions/ownKeys'
import { setDisplay, useDisplay } from '@/client/theme'
import { Button } from '@/components/ui/Button'
import { KeyChord } from '@/components/ui/marks/KeyChord'
import { useKeep } from './Setting'

export function OwnKeysPart() {
  const t = useTranslations('settings')
  const names = useTranslations('keys')
  const lookOf = useActionLook()
  const own = useDisplay((display) => display.keys)
  const keep = useKeep()
  const [changing, setChanging] = useState<ActionId | null>(null)
  const [problem, setProblem] = useState<{ id: ActionId; text: string } | null>(null)
  const put = (keys: Own): void => {
    setDisplay({ keys })
    keep({ keys: { ...keys } })
    setChanging(null)
    setProblem(null)
  }
  const set = (id: ActionId, to: string): void => {
    const { [id]: _, ...others } = own
    put(to === actionRow(id).key ? others : { ...others, [id]: to })
  }
  const onPress = (id: ActionId) => (event: KeyboardEvent) => {
    if (changing !== id || event.key === 'Tab') return
    const pressed = chordOf(event)
    if (pressed === null) return
    event.preventDefault()
    event.stopPropagation()
    if (pressed === 'Escape') {
      setChanging(null)
      setProblem(null)
      return
    }
    const why = whyNot(pressed, id, own)
    if (why === null) set(id, pressed)
    else setProblem({ id, text: why === 'unfit' ? t('keyUnfit') : t('keyTaken', { does: lookOf(why, null).label }) })
  }
  return (
    <>
      <table className="w-full border-collapse text-table">
        <thead>
          <tr className="text-left text-meta text-t3">
            <th className="w-24 border-b border-line py-1.5 pr-3 font-medium">{names('key')}</th>
            <th className="border-b border-line py-1.5 font-medium">{names('does')}</th>
            <th className="border-b border-line py-1.5 text-right font-medium">
              <span className="sr-only">{t('keyChange')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {CHANGEABLE.map((id) => {
            const now = ownKey(id, own)
            const does = lookOf(id, null).label
            return (
              <tr key={id} data-kind="key" data-id={id}>
                <td className="border-b border-line py-1 pr-3">
                  {now === '' ? <span className="text-t3">{t('keyOff')}</span> : <KeyChord chord={now} />}
                </td>
                <td className="border-b border-line py-1">
                  {does}
                  {problem?.id === id ? (
                    <span role="alert" className="block text-meta text-failed">
                      {problem.text}
                    </span>
                  ) : null}
                </td>
                <td className="border-b border-line py-1">
                  <span className="flex justify-end gap-1 whitespace-nowrap">
                    <Button
                      look="quiet"
                      aria-label={changing === id ? t('keyPress') : t('keyChangeOf', { does })}
                      onKeyDown={onPress(id)}
                      onBlur={() => setChanging(null)}
                      onClick={() => {
                        setProblem(null)
                        setChanging(id)
                      }}
                    >
                      {changing === id ? t('keyPress') : t('keyChange')}
                    </Button>
                    {now === actionRow(id).key ? (
                      <Button look="quiet" aria-label={t('keySwitchOffOf', { does })} onClick={() => set(id, '')}>
                        {t('keySwitchOff')}
                      </Button>
                    ) : (
                      <Button
                        look="quiet"
                        aria-label={t('keyBackOf', { does })}
                        onClick={() => set(id, actionRow(id).key)}
                      >
                        {t('keyBack')}
                      </Button>
                    )}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {Object.keys(own).length > 0 ? (
        <Button className="mt-3" onClick={() => put({})}>
          {t('keysReset')}
        </Button>
      ) : null}
    </>
  )
}
