import { curlOf } from "../api";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import { toast } from "./toasts";

export async function copy(text: string): Promise<void> {
	await navigator.clipboard.writeText(text);
	toast(words.copied);
}

/** An ID as the API accepts it; a click copies it. */
export const Id = ({ of }: { readonly of: string }) => (
	<button type="button" className="id" title={words.copyId({ id: of })} onClick={() => void copy(of)}>
		<code>{of}</code>
		<Icon name="copy" size={12} />
	</button>
);

/** Copies the screen's API request as a curl command. */
export const CopyAsCurl = ({ path }: { readonly path: string }) => (
	<button
		type="button"
		className="bare"
		aria-label={words.copyAsCurl}
		title={curlOf(path)}
		onClick={() => void copy(curlOf(path))}
	>
		<Icon name="terminal" />
		<span className="wide">{words.copyAsCurl}</span>
	</button>
);
