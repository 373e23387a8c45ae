import { useEffect, useRef } from "react";
import { words } from "../messages/shared/words";
import { TextField, useForm } from "./form";

interface IdFieldProps {
	/** Of the id itself; "id" when left out. */
	readonly name?: string;
	/** The field by whose text it is suggested. */
	readonly of: string;
	/** What ids of this kind begin with, by habit. */
	readonly prefix: string;
	readonly hint: string;
}

/** An id that follows the name until somebody writes one. */
export function IdField({ name = "id", of, prefix, hint }: IdFieldProps) {
	const { entered, set } = useForm();
	const suggested = useRef("");
	const next = idOf(prefix, String(entered[of] ?? ""));
	useEffect(() => {
		if ((entered[name] ?? "") !== suggested.current || next === suggested.current) return;
		suggested.current = next;
		set(name, next);
	});
	return <TextField name={name} label={words.id} hint={hint} isRequired />;
}

/** "Pro für Teams" of a plan: plan-pro-fur-teams. */
function idOf(prefix: string, name: string): string {
	const plain = name
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
	return plain && `${prefix}-${plain}`;
}
