import { curlOf } from "../api";
import { fill } from "../messages/language";
import { t } from "../messages/shared/buttons";
import { Icon } from "./icons";
import { toast } from "./toasts";

export async function copy(text: string): Promise<void> {
	await navigator.clipboard.writeText(text);
	toast(t.copied);
}

/** An id as it is written to the API; a click copies it. */
export const Id = ({ of }: { readonly of: string }) => (
	<button type="button" className="id" title={fill(t.copyId, { id: of })} onClick={() => void copy(of)}>
		<code>{of}</code>
		<Icon name="copy" size={12} />
	</button>
);

/** What the screen has asked the API for, as a command. */
export const CopyAsCurl = ({ path }: { readonly path: string }) => (
	<button
		type="button"
		className="bare"
		aria-label={t.copyAsCurl}
		title={curlOf(path)}
		onClick={() => void copy(curlOf(path))}
	>
		<Icon name="terminal" />
		<span className="wide">{t.copyAsCurl}</span>
	</button>
);
