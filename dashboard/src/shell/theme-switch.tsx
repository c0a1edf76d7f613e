import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '../components/icons.tsx'

const choices = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'As the system', icon: 'auto' }
] as const satisfies readonly { value: string; label: string; icon: IconName }[]

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = choices.find(({ value }) => value === colorScheme) ?? choices[2]
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Colours: ${current.label}`}>
          <Icon name={current.icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {choices.map(({ value, label, icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon name={icon} size={16} />} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
