ALTER TABLE `entities` ADD `is_created` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `entities_created` ON `entities` (`customer_id`) WHERE is_created = 1 AND archived_at IS NULL;--> statement-breakpoint
ALTER TABLE `entity_types` ADD `creates_entities` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `entity_types` ADD `parent_type_id` text;--> statement-breakpoint
ALTER TABLE `entity_types` ADD `default_assignments` text DEFAULT '[]' NOT NULL;