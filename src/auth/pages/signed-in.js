// Tells the pages of the app that the user has signed in, and closes the window that one of them opened for it.
new BroadcastChannel('partita.session').postMessage('signed-in')
close()
