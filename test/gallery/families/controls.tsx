/** What is pressed and typed into: buttons, fields, choices, tabs, menus. */
import { Plus } from 'lucide-react'
import { Button, type ButtonLook, IconButton } from '@/components/ui/Button'
import { Checkbox, RadioChoice, Select } from '@/components/ui/fields/Choice'
import { PasswordField, TextArea, TextField } from '@/components/ui/fields/TextField'
import { Segmented, TabList } from '@/components/ui/Tabs'
import { Specimen, SpecimenRow } from '../Specimen'

const LOOKS: readonly ButtonLook[] = ['primary', 'plain', 'quiet', 'danger']
const nothing = (): void => {}

export default function Controls() {
  return (
    <>
      <Specimen name="Button · primary, plain, quiet, danger">
        <SpecimenRow>
          {LOOKS.map((look) => (
            <Button key={look} look={look}>
              {look}
            </Button>
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen name="Button · disabled with its reason">
        <SpecimenRow>
          {LOOKS.map((look) => (
            <Button key={look} look={look} isDisabled reason="This task is finished">
              {look}
            </Button>
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen name="Button · icon, large; IconButton">
        <SpecimenRow>
          <Button icon={<Plus />}>New request</Button>
          <Button look="primary" size="large">
            Sign in
          </Button>
          <IconButton icon={<Plus />} label="Add" />
        </SpecimenRow>
      </Specimen>
      <Specimen name="Segmented">
        <Segmented<'form' | 'json'>
          label="View"
          value="form"
          onChange={nothing}
          segments={{ form: 'Form', json: 'JSON' }}
        />
      </Specimen>
      <Specimen name="TextField · empty, hint, error">
        <div className="flex flex-col gap-3">
          <TextField label="Human agent ID" />
          <TextField label="Name" hint="Everyone in the task sees it" defaultValue="Ana" />
          <TextField label="Additional amount" error="A number above 0" defaultValue="no" />
        </div>
      </Specimen>
      <Specimen name="PasswordField; TextArea">
        <div className="flex flex-col gap-3">
          <PasswordField label="Password" />
          <TextArea label="Your answer" minLines={2} defaultValue="Postgres" />
        </div>
      </Specimen>
      <Specimen name="Checkbox · off, on">
        <SpecimenRow>
          <Checkbox label="Follow live" isChecked={false} onChange={nothing} />
          <Checkbox label="Follow live" isChecked onChange={nothing} />
        </SpecimenRow>
      </Specimen>
      <Specimen name="RadioChoice; Select">
        <RadioChoice
          label="Choices"
          value="Postgres"
          onChange={nothing}
          choices={[
            { value: 'Postgres', label: 'Postgres' },
            { value: 'SQLite', label: 'SQLite' },
          ]}
        />
        <div className="mt-3">
          <Select
            label="Stage"
            value="2"
            onChange={nothing}
            options={[
              { value: '1', label: '1 Gather' },
              { value: '2', label: '2 Build' },
            ]}
          />
        </div>
      </Specimen>
      <Specimen name="Tabs" isWide>
        <TabList
          label="Details"
          value="prompt"
          onChange={nothing}
          tabs={[
            { value: 'summary', label: 'Summary' },
            { value: 'prompt', label: 'Prompt' },
            { value: 'json', label: 'JSON' },
          ]}
        >
          <p className="p-3">…</p>
        </TabList>
      </Specimen>
    </>
  )
}
