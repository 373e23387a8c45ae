import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface MenuItem {
	readonly key: string;
	readonly label: ReactNode;
	readonly onChoose: () => void;
	/** The item is the current one of a group. */
	readonly isChosen?: boolean;
}

export interface MenuProps {
	readonly label: string;
	/** The content of the button. */
	readonly button: ReactNode;
	readonly buttonClass?: string;
	readonly groups: readonly { readonly name?: string; readonly items: readonly MenuItem[] }[];
}

/** A button that opens a list in a popover; the arrow keys move through the list. */
export function Menu({ label, button, buttonClass = "bare", groups }: MenuProps) {
	const id = useId();
	const list = useRef<HTMLDivElement>(null);
	const items = () => [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
	const onKeyDown = (event: KeyboardEvent) => {
		const all = items();
		const at = all.indexOf(document.activeElement as HTMLElement);
		const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
		if (next === undefined) return;
		event.preventDefault();
		all.at(next % all.length)?.focus();
	};
	return (
		<div className="menu">
			<button type="button" className={buttonClass} aria-label={label} aria-haspopup="menu" popoverTarget={id}>
				{button}
			</button>
			<div
				id={id}
				ref={list}
				role="menu"
				aria-label={label}
				tabIndex={-1}
				popover="auto"
				onKeyDown={onKeyDown}
				onToggle={({ newState }) => newState === "open" && items()[0]?.focus()}
			>
				{groups.map(({ name, items: entries }, group) => (
					// biome-ignore lint/a11y/useSemanticElements: a group of a menu.
					<div key={name ?? group} role="group" aria-label={name}>
						{name && <p aria-hidden="true">{name}</p>}
						{entries.map(({ key, label: text, onChoose, isChosen }) => (
							// biome-ignore lint/a11y/useAriaPropsSupportedByRole: `aria-checked` is set only for `menuitemradio`.
							<button
								key={key}
								type="button"
								role={isChosen === undefined ? "menuitem" : "menuitemradio"}
								aria-checked={isChosen}
								onClick={() => {
									list.current?.hidePopover();
									onChoose();
								}}
							>
								{text}
							</button>
						))}
					</div>
				))}
			</div>
		</div>
	);
}
