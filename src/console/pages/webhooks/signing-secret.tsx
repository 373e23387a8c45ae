import type { Webhook } from "../../../areas/webhooks/schema";
import { Secret } from "../../kit/secret";
import { t } from "../../messages/webhooks";

interface SigningSecretProps {
	/** As the API has answered it when it was made or rotated. */
	readonly webhook: Webhook | undefined;
	readonly onClose: () => void;
}

export const SigningSecret = ({ webhook, onClose }: SigningSecretProps) => (
	<Secret
		title={t.secretTitle}
		text={t.secretText}
		secrets={webhook?.secretKey ? { [webhook.endpoint]: webhook.secretKey } : undefined}
		done={t.done}
		copyLabel={t.copy}
		onClose={onClose}
	/>
);
