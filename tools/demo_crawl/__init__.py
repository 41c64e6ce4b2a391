"""Parts of tools/make_demo_crawl.py: articles -> reposts -> pages in site templates -> WARC files and labels."""
