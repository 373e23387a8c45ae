import { ApiError } from "../api";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";

/** Shows the API's error message, its code and the request ID. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
	if (!error) return null;
	const { text, code, requestId } = explain(error);
	return (
		<div className="problem" role="alert">
			<Icon name="warning" />
			<div>
				<p>{text}</p>
				{(code || requestId) && (
					<p className="small">
						{code && <code>{code}</code>} {requestId && `${words.requestId} `}
						{requestId && <code>{requestId}</code>}
					</p>
				)}
				{retry && (
					<button type="button" className="small" onClick={retry}>
						{words.tryAgain}
					</button>
				)}
			</div>
		</div>
	);
}

function explain(error: unknown): { text: string; code?: string | null; requestId?: string | undefined } {
	if (error instanceof ApiError) return { text: error.message, code: error.code, requestId: error.requestId };
	// `fetch` throws a TypeError if the server cannot be reached.
	if (error instanceof TypeError && /fetch/i.test(error.message)) return { text: words.unreachable };
	return { text: error instanceof Error ? error.message : String(error) };
}
