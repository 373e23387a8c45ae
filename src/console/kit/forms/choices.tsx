import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

export interface Found {
	readonly key: string;
	readonly label: string;
	/** Shown after the label in a muted colour, such as an ID or a kind. */
	readonly detail?: string;
	readonly icon?: ReactNode;
}

export interface ChoicesProps<Item extends Found> {
	readonly label: string;
	readonly placeholder?: string;
	readonly text: string;
	readonly onText: (text: string) => void;
	readonly groups: readonly { readonly name: string; readonly items: readonly Item[] }[];
	readonly onChoose: (item: Item) => void;
	readonly isFocused?: boolean;
	/** Replaces the list, for example when nothing is found. */
	readonly children?: ReactNode;
}

/** A text field with a list of results; the arrow keys move through the list (the combobox pattern of the ARIA guide). */
export function Choices<Item extends Found>(props: ChoicesProps<Item>) {
	const { label, placeholder, text, onText, groups, onChoose, isFocused = false, children } = props;
	const [at, setAt] = useState(0);
	const listId = useId();
	const items = groups.flatMap((group) => group.items);
	const current = items[Math.min(at, items.length - 1)];
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === "ArrowDown") setAt((before) => Math.min(before + 1, items.length - 1));
		else if (event.key === "ArrowUp") setAt((before) => Math.max(before - 1, 0));
		else if (event.key === "Enter" && current) onChoose(current);
		else return;
		event.preventDefault();
	};
	const idOf = (item: Item) => `${listId}-${item.key}`;
	return (
		<div className="choices">
			<input
				role="combobox"
				aria-label={label}
				aria-expanded={items.length > 0}
				aria-controls={listId}
				aria-autocomplete="list"
				aria-activedescendant={current && idOf(current)}
				autoComplete="off"
				spellCheck={false}
				// A dialog that opens focuses the element that has the attribute. React's property focuses before, and sets no attribute.
				ref={(input) => void input?.toggleAttribute("autofocus", isFocused)}
				placeholder={placeholder}
				value={text}
				onKeyDown={onKeyDown}
				onChange={(event) => {
					setAt(0);
					onText(event.target.value);
				}}
			/>
			<div id={listId} role="listbox" aria-label={label} tabIndex={-1}>
				{groups
					.filter((group) => group.items.length > 0)
					.map((group) => (
						// biome-ignore lint/a11y/useSemanticElements: a group of options.
						<div key={group.name} role="group" aria-label={group.name}>
							<p className="small quiet" aria-hidden="true">
								{group.name}
							</p>
							{group.items.map((item) => (
								// biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
								<div
									key={item.key}
									id={idOf(item)}
									role="option"
									tabIndex={-1}
									aria-selected={item === current}
									onClick={() => onChoose(item)}
								>
									{item.icon}
									<span>{item.label}</span>
									{item.detail && <span className="quiet small">{item.detail}</span>}
								</div>
							))}
						</div>
					))}
			</div>
			{children}
		</div>
	);
}
