ALTER TABLE `customers` ADD `legal_entity_id` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `tax_exemption` text;--> statement-breakpoint
ALTER TABLE `packages` ADD `legal_entity_id` text;