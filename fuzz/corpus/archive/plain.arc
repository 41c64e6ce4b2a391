filedesc://x.arc 0.0.0.0 20140216050221 text/plain 66
1 0 Test
URL IP-address Archive-date Content-type Archive-length

http://x.test/a 192.0.2.1 20140216050221 text/html 4
<p>a
