import { useQueries } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation } from "wouter";
import { t } from "../messages/shared/search";
import { type Place, sources } from "../palette";
import { screens } from "../screens";
import { Dialog } from "./dialog";
import { Choices } from "./forms/choices";
import { Icon } from "./icons";

/** A single letter would find nearly everything. */
const searchedFrom = 2;

const screensFor = (text: string): Place[] =>
	screens
		.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
		.map(({ name, path, icon }) => ({ key: path, label: name, path, icon: <Icon name={icon} /> }));

/** A search starts when the person pauses typing, because it sends a request for each kind. */
const settledAfterMs = 150;

function useSettled(text: string): string {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const settling = setTimeout(() => setSettled(text), settledAfterMs);
		return () => clearTimeout(settling);
	}, [text]);
	return settled;
}

function Palette({ onDone }: { readonly onDone: () => void }) {
	const [text, setText] = useState("");
	const [, navigate] = useLocation();
	const asked = useSettled(text.trim());
	const found = useQueries({
		queries: sources.map(({ name, find }) => ({
			queryKey: ["find", name, asked],
			queryFn: () => find(asked),
			enabled: asked.length >= searchedFrom,
			// A kind may reject the text because it cannot be an ID of that kind. Then it has no results.
			retry: false,
		})),
	});
	const groups = [
		...sources.map(({ name }, at) => ({ name, items: found[at]?.data ?? [] })),
		{ name: t.screens, items: screensFor(asked) },
	];
	const isEmpty =
		asked === text.trim() &&
		groups.every(({ items }) => items.length === 0) &&
		found.every(({ isFetching }) => !isFetching);
	return (
		<Choices
			label={t.searchOrJump}
			placeholder={t.searchHint}
			text={text}
			onText={setText}
			groups={groups}
			isFocused
			onChoose={({ path }) => {
				onDone();
				navigate(path);
			}}
		>
			{isEmpty && <p className="empty quiet">{t.nothingFound({ text: asked })}</p>}
		</Choices>
	);
}

/** The command palette, opened by ⌘K or Ctrl+K on any screen. */
export function PaletteButton() {
	const [isOpen, setOpen] = useState(false);
	// With the first appearance of the page, so that no press after it is lost.
	useLayoutEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
			event.preventDefault();
			setOpen((before) => !before);
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, []);
	return (
		<>
			<button type="button" className="find" title={t.searchOrJump} onClick={() => setOpen(true)}>
				<Icon name="search" />
				<span>{t.search}</span>
				<kbd>{/mac/i.test(navigator.userAgent) ? "⌘K" : "Ctrl K"}</kbd>
			</button>
			<Dialog title={t.search} isOpen={isOpen} onClose={() => setOpen(false)} kind="palette">
				<Palette onDone={() => setOpen(false)} />
			</Dialog>
		</>
	);
}
