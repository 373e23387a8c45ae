import type { Webhook } from "../../../areas/webhooks/schema";
import { t } from "../../messages/webhooks";

export const typesText = ({ eventLogTypes }: Webhook): string =>
	eventLogTypes.length === 0 ? t.everything : t.typesCount({ count: eventLogTypes.length });
